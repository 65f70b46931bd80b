import type { JsonObject, JsonValue } from "@code-mode/contract";
import { asList, type BugCase, CaseServers, isJsonObject, jsonContains, serverSpecsOf } from "@code-mode/testkit";
import { CaseGateway } from "./case-gateway.ts";
import { execTurn, programOf } from "./exec-turn.ts";
import { equalWord, neverWord, type PlayCase, type PlayedCase, seenOf, word } from "./played-case.ts";
import { schemaFacts } from "./schema-facts.ts";

/** Cases of what a client asks for and what the provider is offered (P19–P22, S11, S14). */
export const requestCases: Readonly<Record<string, PlayCase>> = {
  P19: playChatRequest,
  P20: playChatRequest,
  P21: playOfferedSchemas,
  P22: playOfferedSchemas,
  S11: playClientTool,
  S14: playServerSchemas,
};

/** The tools of the data are names; the wire wants more. */
async function playChatRequest({ input }: BugCase): Promise<PlayedCase> {
  const { tools, ...request } = input.request as JsonObject;
  const functions = asList(tools).map((tool) => ({
    type: "function",
    function: {
      description: "A tool of the client.",
      parameters: { type: "object", properties: {} },
      ...(tool as JsonObject),
    },
  }));
  await using gateway = await CaseGateway.open();
  const end = await gateway.chat({
    messages: [{ role: "user", content: "hi" }],
    ...request,
    ...(functions.length === 0 ? {} : { tools: functions }),
  });
  const sent = gateway.provider.requests;
  const text = JSON.stringify(end.body);
  const executed = gateway.requests.some(({ messages }) => messages.some(({ calls }) => calls.length > 0));
  return {
    whole: seenOf([]),
    words: {
      ...equalWord("httpStatus", end.httpStatus),
      ...word("errorMatches", text, (expected) => new RegExp(String(expected), "is").test(text)),
      ...word("providerRequest", { sent, end }, (expected) => sent.length === 1 && isAsked(sent[0], expected)),
      ...equalWord("executed", executed),
      ...neverWord("", { "provider 400 'tool not found'": sent.length > 0 && end.httpStatus !== 200 }),
    },
  };
}

/** A provider that is offered no tools needs not be told that it must not call one. */
function isAsked(body: JsonObject | undefined, expected: JsonValue): boolean {
  const offersNone = asList(body?.tools).length === 0 && jsonContains({ tool_choice: "none" }, expected);
  return body !== undefined && (offersNone || jsonContains(body, expected));
}

async function playOfferedSchemas(): Promise<PlayedCase> {
  await using gateway = await CaseGateway.open();
  await gateway.turn("s", { message: "go" });
  const offered = (gateway.requests[0]?.tools ?? []).filter(({ name }) => name === "exec" || name === "wait");
  const facts = schemaFacts(offered.map(({ schema }) => schema));
  const isStrict = asList(gateway.provider.requests[0]?.tools).some((tool) =>
    JSON.stringify(tool).includes('"strict":true'),
  );
  const longest = Math.max(...offered.map(({ description }) => description.length));
  const isAllowed = (expected: JsonValue): boolean => {
    const allowed = asList(expected);
    return offered.length === 2 && facts.keywords.every((keyword) => allowed.includes(keyword));
  };
  return {
    whole: seenOf([]),
    words: {
      ...word("strictFlag", isStrict, (expected) => offered.length === 2 && isStrict === expected),
      ...equalWord("allPropertiesRequired", facts.allRequired),
      ...equalWord("optionalAsNullable", facts.hasNullable),
      ...equalWord("additionalProperties", facts.isOpen),
      ...word("allowedKeywords", facts.keywords, isAllowed),
      ...word("maxDescriptionChars", longest, (expected) => longest > 0 && longest <= Number(expected)),
      ...word(
        "never",
        facts.keywords,
        (expected) => !asList(expected).some((keyword) => facts.keywords.includes(String(keyword))),
      ),
    },
  };
}

async function playClientTool(bugCase: BugCase): Promise<PlayedCase> {
  const { input } = bugCase;
  const declared = asList(input.tools).filter(isJsonObject);
  const clientTools = asList((input.request as JsonObject).clientTools)
    .filter(isJsonObject)
    .map(({ name, inputSchema }) => ({
      name: String(name),
      description: "A tool of the client.",
      parameters: inputSchema ?? {},
    }));
  await using gateway = await CaseGateway.open({ declared });
  const { result, end } = await execTurn(gateway, programOf(bugCase), { clientTools });
  if (end.httpStatus !== 200) throw new Error(`the turn answers ${end.httpStatus}: ${JSON.stringify(end.body)}`);
  return { whole: seenOf([result], gateway) };
}

async function playServerSchemas(bugCase: BugCase): Promise<PlayedCase> {
  await using servers = await CaseServers.open(serverSpecsOf(bugCase.input));
  await using gateway = await CaseGateway.open({ config: { mcpServers: servers.configs as JsonObject } });
  await gateway.process.untilStderr("MCP server s: ready");
  const { result } = await execTurn(gateway, programOf(bugCase));
  const offered = gateway.requests[0]?.tools ?? [];
  return {
    whole: seenOf([result], gateway),
    words: {
      ...equalWord(
        "modelTools",
        offered.map(({ name }) => name),
      ),
      ...neverWord(JSON.stringify(offered.map(({ schema }) => schema))),
    },
  };
}
