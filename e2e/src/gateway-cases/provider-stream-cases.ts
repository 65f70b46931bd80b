import type { JsonObject, JsonValue } from "@code-mode/contract";
import { asList, type BugCase, isJsonObject, jsonContains, type Matcher } from "@code-mode/testkit";
import { CaseGateway, type TurnEnd } from "./case-gateway.ts";
import {
  equalWord,
  judgePlayed,
  neverWord,
  type PlayCase,
  type PlayedCase,
  seenOf,
  variantsWord,
  word,
} from "./played-case.ts";
import { cellResultOf, type ProviderRequest } from "./provider-request.ts";
import { trajectoryOf } from "./trajectory.ts";
import type { ProviderReply } from "./wire-formats.ts";

/** Cases of what a provider may send (P02–P10, P28, P33, P34). */
export const providerStreamCases: Readonly<Record<string, PlayCase>> = {
  ...Object.fromEntries(["P02", "P04", "P05", "P06", "P09"].map((id) => [id, playOwnStream])),
  // a provider that does this once does it again
  P10: ({ input }) => playReply({ reply: { deltas: asList(input.providerStream) }, times: 2 }),
  P08: playStreamVariants,
  P33: playStreamVariants,
  P28: ({ input }) => playTextCalls(asList(input.variants).map(String)),
  P34: ({ input }) => playReply({ reply: splitReply(String(input.providerStream)) }),
};

function playOwnStream({ input }: BugCase): Promise<PlayedCase> {
  return playReply({ reply: { deltas: asList(input.providerStream) } });
}

async function playStreamVariants({ input }: BugCase): Promise<PlayedCase> {
  const variants: PlayedCase[] = [];
  for (const variant of asList(input.variants).filter(isJsonObject))
    variants.push(await playReply({ reply: { deltas: asList(variant.providerStream) } }));
  return { whole: seenOf([]), words: variantsWord("variants", variants) };
}

/** The call as words of the assistant, then as words of the user. */
async function playTextCalls([assistant = ""]: readonly string[]): Promise<PlayedCase> {
  const text = assistant.replace(/^assistant text: /, "");
  const variants = [await playReply({ reply: { text } }), await playReply({ message: `Explain: ${text}` })];
  return { whole: seenOf([]), words: variantsWord("variants", variants) };
}

function splitReply(argumentsText: string): ProviderReply {
  const call = { index: 0, id: "a", function: { name: "exec", arguments: argumentsText } };
  return { deltas: [{ tool_calls: [call] }, { finish_reason: "tool_calls" }], splitInside: "🦞" };
}

type Played = { readonly reply?: ProviderReply; readonly message?: string; readonly times?: number };

async function playReply({ reply, message = "go", times = 1 }: Played): Promise<PlayedCase> {
  const replies = reply === undefined ? [] : Array.from({ length: times }, () => reply);
  await using gateway = await CaseGateway.open({ replies });
  const end = await gateway.turn("s", { message });
  const trajectory = await trajectoryOf(gateway, "s");
  const next = gateway.requests[1];
  const results = (next?.messages ?? []).flatMap((sent) => sent.results.map(cellResultOf));
  const whole = seenOf(results, gateway);
  const codes = trajectory.cells.map(({ code }) => code);
  const told = trajectory.events.some(({ type }) => type === "model_corrected");
  return {
    whole,
    words: {
      ...callWords(next),
      ...turnWords(gateway.requests, end),
      ...word("executed", codes, (expected) => isExecuted(codes, expected)),
      ...word("hint", trajectory.events, (expected) => told === expected),
      ...toolResultWord(whole),
      ...neverWord(JSON.stringify([results, end.body])),
    },
  };
}

function callWords(next: ProviderRequest | undefined): Record<string, Matcher> {
  const calls = (next?.messages ?? []).flatMap((message) => message.calls);
  const found = calls.map(({ id, name, input }) => ({ id, name, arguments: input ?? "no JSON" }));
  const isWanted = (expected: JsonValue): boolean => {
    const wanted = asList(expected);
    return wanted.length === found.length && wanted.every((call, index) => jsonContains(found[index], call));
  };
  const parses = found.length > 0 && calls.every(({ input }) => isJsonObject(input));
  return {
    ...word("calls", found, isWanted),
    ...word("nextRequest", found, (expected) => jsonContains({ assistantToolCallArgumentsParse: parses }, expected)),
  };
}

function turnWords(requests: readonly ProviderRequest[], end: TurnEnd): Record<string, Matcher> {
  const text = JSON.stringify(end.body);
  return {
    ...equalWord("turnEnds", true),
    ...word("providerCallsMax", requests.length, (expected) => requests.length <= Number(expected)),
    ...word("errorMatches", text, (expected) => new RegExp(String(expected), "i").test(text)),
  };
}

function toolResultWord(whole: PlayedCase["whole"]): Record<string, Matcher> {
  const isWanted = (expected: JsonValue): boolean => judgePlayed(expected as JsonObject, { whole }).outcome === "pass";
  return word("toolResult", whole.results, isWanted);
}

function isExecuted(codes: readonly string[], expected: JsonValue): boolean {
  if (isJsonObject(expected)) return codes.includes(String(expected.code));
  return codes.length > 0 === expected;
}
