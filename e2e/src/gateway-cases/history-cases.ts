import { setTimeout as after } from "node:timers/promises";
import type { JsonObject, JsonValue } from "@code-mode/contract";
import { asList, type BugCase } from "@code-mode/testkit";
import { CaseGateway } from "./case-gateway.ts";
import { equalWord, neverWord, type PlayCase, type PlayedCase, seenOf, word } from "./played-case.ts";
import { cellResultOf, type SentMessage } from "./provider-request.ts";

/** Cases of what the gateway sends as history (P11–P18, R30). */
export const historyCases: Readonly<Record<string, PlayCase>> = {
  P11: playInterruptedTurn,
  P12: playConversation,
  P14: playForeignIds,
  P16: playThinking,
  P17: playConversation,
  P18: playParallelResults,
  R30: playFailedWait,
};

const exec = (id: string, code: string) => ({ id, name: "exec", input: { code } });

/** The process dies while the second call runs; the session goes on in the next one. */
async function playInterruptedTurn(): Promise<PlayedCase> {
  const calls = [exec("a", "return 1"), exec("b", "return await tools.slow({ ms: 60000 })")];
  await using gateway = await CaseGateway.open({ replies: [{ calls }] });
  const broken = gateway.turn("s", { message: "go" }).catch(() => undefined);
  await untilCalled(gateway, "slow");
  await gateway.process.stop("SIGKILL");
  await broken;
  await gateway.start();
  const end = await gateway.turn("s", { message: "continue" });
  const sent = gateway.requests.at(-1)?.messages ?? [];
  const at = sent.findIndex((message) => message.calls.length === 2);
  const results = sent.slice(at + 1).flatMap((message) => message.results);
  const rest = sent.slice(at + 1).filter((message) => message.results.length === 0);
  const repaired =
    at >= 0 &&
    results.map(({ id }) => id).join() === "a,b" &&
    /interrupt|restart/i.test(results[1]?.text ?? "") &&
    rest[0]?.role === "user";
  return {
    whole: seenOf([]),
    words: {
      ...word("sent", sent, () => repaired),
      ...neverWord(JSON.stringify(end.body), { "HTTP 400": end.httpStatus !== 200 }),
    },
  };
}

async function playConversation({ input }: BugCase): Promise<PlayedCase> {
  await using gateway = await CaseGateway.open();
  const messages = asList(input.messages) as readonly JsonObject[];
  const end = await gateway.chat({ messages });
  const sent = gateway.requests[0]?.messages ?? [];
  return {
    whole: seenOf([]),
    words: word("sentRoles", { sent, end }, (expected) => areRoles(sent, expected, messages)),
  };
}

/** Neighbours of one role may be merged; no text of a user or of the system may be lost. */
function areRoles(sent: readonly SentMessage[], expected: JsonValue, messages: readonly JsonObject[]): boolean {
  const wanted = asList(expected).map(String);
  const roles = sent.map(({ role }) => role).filter((role) => role !== "system" || wanted.includes("system"));
  const texts = sent.map(({ text }) => text).join("\n");
  const kept = messages.every(({ role, content }) => role === "tool" || texts.includes(String(content)));
  return kept && withoutRepeats(roles).join() === withoutRepeats(wanted).join();
}

function withoutRepeats(roles: readonly string[]): readonly string[] {
  return roles.filter((role, index) => role !== roles[index - 1]);
}

async function playForeignIds({ input }: BugCase): Promise<PlayedCase> {
  const [id = ""] = /call_[^"]+/.exec(JSON.stringify(input.messages)) ?? [];
  const calls = [exec(id, "return 1"), exec(`${id}0`, "return 2")];
  await using gateway = await CaseGateway.open({ replies: [{ calls }], provider: { toolCallIds: "alphanumeric9" } });
  await gateway.turn("s", { message: "go" });
  const sent = gateway.requests[1]?.messages ?? [];
  const callIds = sent.flatMap((message) => message.calls.map((call) => call.id));
  const resultIds = sent.flatMap((message) => message.results.map((result) => result.id));
  const matches = (expected: JsonValue): boolean =>
    callIds.length === 2 && [...callIds, ...resultIds].every((found) => new RegExp(String(expected)).test(found));
  return {
    whole: seenOf([]),
    words: {
      ...word("outgoingIdsMatch", sent, matches),
      ...equalWord("pairingKept", callIds.join() === resultIds.join()),
      ...equalWord("collisions", callIds.length - new Set(callIds).size),
    },
  };
}

async function playThinking({ input }: BugCase): Promise<PlayedCase> {
  const thinking = asList(input.history)[0] as JsonObject;
  await using gateway = await openAnthropic();
  gateway.provider.say({ thinking, calls: [exec("a", "return 1")] });
  const end = await gateway.turn("s", { message: "go" });
  const blocks = assistantBlocks(gateway);
  const [first, second] = blocks;
  const kept =
    first?.thinking === thinking.thinking && first?.signature === thinking.signature && second?.type === "tool_use";
  return { whole: seenOf([]), words: word("nextRequest", { blocks, end }, () => kept) };
}

async function playParallelResults(): Promise<PlayedCase> {
  await using gateway = await openAnthropic();
  gateway.provider.say({ calls: [exec("a", "return 1"), exec("b", "return 2")] });
  const end = await gateway.turn("s", { message: "go" });
  const messages = (gateway.provider.requests[1]?.messages ?? []) as readonly JsonObject[];
  const at = messages.findIndex(({ role }) => role === "assistant");
  const uses = blocksOf(messages[at]).map(({ type, id }) => `${type} ${id}`);
  const answers = blocksOf(messages[at + 1]).map(({ type, tool_use_id: id }) => `${type} ${id}`);
  const together = uses.join() === "tool_use a,tool_use b" && answers.join().startsWith("tool_result a,tool_result b");
  const isLast = messages.length === at + 2;
  return { whole: seenOf([]), words: word("sent", { messages, end }, () => together && isLast) };
}

async function playFailedWait(): Promise<PlayedCase> {
  await using gateway = await CaseGateway.open({
    replies: [{ calls: [{ id: "a", name: "wait", input: { runId: "nope" } }] }],
  });
  await gateway.turn("s", { message: "go" });
  const next = gateway.requests[1];
  const result = next?.messages.flatMap((message) => message.results.map(cellResultOf)).at(-1);
  const tools = (next?.tools ?? []).map(({ name }) => name);
  return { whole: seenOf([result]), steps: [seenOf([result]), seenOf([])], words: equalWord("modelTools", tools) };
}

function openAnthropic(): Promise<CaseGateway> {
  return CaseGateway.open({ provider: { api: "anthropic" } });
}

function assistantBlocks(gateway: CaseGateway): readonly JsonObject[] {
  const messages = (gateway.provider.requests[1]?.messages ?? []) as readonly JsonObject[];
  return blocksOf(messages.find(({ role }) => role === "assistant"));
}

function blocksOf(message: JsonObject | undefined): readonly JsonObject[] {
  return Array.isArray(message?.content) ? (message.content as readonly JsonObject[]) : [];
}

async function untilCalled(gateway: CaseGateway, tool: string): Promise<void> {
  for (let waited = 0; waited < 15_000; waited += 50) {
    if (gateway.journal.calls.some((call) => call.tool === tool)) return;
    await after(50);
  }
  throw new Error(`${tool} was not called; requests: ${JSON.stringify(gateway.provider.requests).slice(0, 400)}`);
}
