import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { WireReply } from "../provider/loopback-provider.ts";
import { chatReply, chatText } from "../provider/wire-replies.ts";
import { type OpenTurns, openTurns } from "./open-turns.ts";

type Part = Readonly<Record<string, unknown>>;
type Case = {
  readonly id: string;
  readonly input: { readonly providerStream?: Part[]; readonly variants?: { providerStream: Part[] }[] };
};

const caseFile = new URL("../../../../e2e/cases/bug-cases.jsonl", import.meta.url);
const cases = new Map(
  readFileSync(caseFile, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Case)
    .map((found) => [found.id, found]),
);

/** The streamed reply of a case, as it goes over the wire. */
function replyOf(id: string, variant?: number): WireReply {
  const { input } = cases.get(id) as Case;
  const parts = variant === undefined ? input.providerStream : input.variants?.[variant]?.providerStream;
  return chatReply(parts as Part[]);
}

/** Plays the reply of a case, then "done", as one turn. */
async function play(first: WireReply): Promise<OpenTurns> {
  const open = await openTurns({ replies: [first, chatText("done")] });
  await open.turns.run("s", { message: "go" });
  return open;
}

const counters = (): Record<string, number> =>
  (globalThis as { testCounters?: Record<string, number> }).testCounters ?? {};
const callsOf = ({ events }: OpenTurns): unknown =>
  events().flatMap((event) => (event.type === "tool_call" ? [{ name: event.name, input: event.input }] : []));
const one = { name: "exec", input: { code: "return 1" } };

it("PRV-2 parts of a call without index continue the last call (P02)", async () => {
  await using open = await play(replyOf("P02"));
  expect(callsOf(open)).toEqual([one]);
  expect(open.results()).toMatchObject([{ status: "completed", value: 1 }]);
  expect(open.provider.requests[1]?.body.messages.at(-1).tool_call_id).toBe("a");
});

it("PRV-2 empty arguments are an empty object, and the tool says what is missing (P04)", async () => {
  await using open = await play(replyOf("P04"));
  expect(callsOf(open)).toEqual([{ name: "wait", input: {} }]);
  expect(open.results()).toMatchObject([
    { status: "failed", code: "invalid_input", error: expect.stringContaining("runId") },
  ]);
});

it("PRV-2 arguments that are no JSON do not run, and the next request holds arguments that parse (P05)", async () => {
  await using open = await play(replyOf("P05"));
  expect(open.results()).toMatchObject([
    { status: "failed", code: "invalid_input", error: expect.stringMatching(/JSON.*\{"code": …\}/) },
  ]);
  const [, second] = open.provider.requests;
  const assistant = second?.body.messages.find(({ role }: { role: string }) => role === "assistant");
  expect(JSON.parse(assistant.tool_calls[0].function.arguments)).toEqual({});
  // what the model really sent stays in the record
  expect(callsOf(open)).toEqual([{ name: "exec", input: '{"code": "return 1' }]);
});

it("PRV-2 a bare program as arguments of exec is the program (P06)", async () => {
  await using open = await play(replyOf("P06"));
  expect(open.results()).toMatchObject([{ status: "completed", value: 42 }]);
  expect(callsOf(open)).toEqual([{ name: "exec", input: { code: "return 6*7;" } }]);
});

it("PRV-2 a call of a reply that was cut off never runs, even when its JSON is whole (P08)", async () => {
  await using cut = await play(replyOf("P08", 0));
  expect(cut.results()).toMatchObject([
    { status: "failed", code: "invalid_input", error: expect.stringMatching(/truncat|length|max/) },
  ]);
  await using mislabelled = await play(replyOf("P08", 1));
  expect(mislabelled.results()).toMatchObject([{ status: "failed", code: "invalid_input" }]);
  expect(counters()).not.toHaveProperty("p08");
});

it("PRV-2 a call counts although the finish reason is stop (P09)", async () => {
  await using open = await play(replyOf("P09"));
  expect(open.results()).toMatchObject([{ status: "completed", value: 1 }]);
});

it("PRV-2 a reply with nothing in it is asked for once more, then the turn ends (P10)", async () => {
  await using open = await openTurns({ replies: [replyOf("P10")] });
  await expect(open.turns.run("s", { message: "go" })).rejects.toThrow(/nothing: an empty text and no tool call/);
  expect(open.provider.requests).toHaveLength(2);
  expect(open.provider.requests[1]?.body.messages.at(-1).content).toContain("Your reply was empty");
  await using healed = await openTurns({ replies: [replyOf("P10"), chatText("here")] });
  expect((await healed.turns.run("s", { message: "go" })).text).toBe("here");
  // no word about the empty reply stays in the conversation
  expect(healed.log.messages("s").map(({ message }) => message.role)).toEqual(["user", "assistant"]);
});

it("PRV-2 a tool call written as text runs nothing and is told so once (P28)", async () => {
  const written = '<invoke name="exec"><parameter name="code">return 1</parameter></invoke>';
  await using open = await openTurns({ replies: [chatText(written), chatText(written)] });
  const { text } = await open.turns.run("s", { message: "go" });
  expect([text, callsOf(open)]).toEqual([written, []]);
  expect(open.provider.requests[1]?.body.messages.at(-1)).toMatchObject({
    role: "user",
    content: expect.stringContaining("nothing ran"),
  });
  await using quoted = await openTurns({ replies: [chatText("That is a call.")] });
  await quoted.turns.run("s", { message: `what is ${written}?` });
  expect([quoted.provider.requests.length, callsOf(quoted)]).toEqual([1, []]);
});

it("PRV-2 code and command that differ are refused; null and unknown keys follow one rule (P29, P32)", async () => {
  const inputs = [
    { code: "return 1", command: "return 2" },
    { command: "return 2" },
    { code: "return 3", command: "return 3" },
    { code: "  ", command: "" },
    { code: "return 1", language: null, timeout: 5, explanation: "demo" },
  ];
  const calls = inputs.map((input, index) => ({
    index,
    id: `c${index}`,
    function: { name: "exec", arguments: JSON.stringify(input) },
  }));
  await using open = await play(chatReply([{ tool_calls: calls }, { finish_reason: "tool_calls" }]));
  expect(open.results()).toMatchObject([
    { status: "failed", code: "invalid_input", error: expect.stringMatching(/code.*command|command.*code/) },
    { status: "completed", value: 2 },
    { status: "completed", value: 3 },
    { status: "failed", code: "invalid_input", error: expect.stringContaining("code") },
    { status: "failed", code: "invalid_input", error: expect.stringMatching(/timeout|explanation|language/) },
  ]);
});

it("PRV-2 a name in pieces is put together, a name in every part counts once (P33)", async () => {
  await using pieces = await play(replyOf("P33", 0));
  await using repeated = await play(replyOf("P33", 1));
  expect([callsOf(pieces), callsOf(repeated)]).toEqual([[one], [one]]);
});

it("PRV-2 characters, line ends and events may be split anywhere on the wire (P34)", async () => {
  const text = chatReply([
    {
      tool_calls: [
        { index: 0, id: "a", function: { name: "exec", arguments: JSON.stringify({ code: "return '🦞'" }) } },
      ],
    },
    { finish_reason: "tool_calls" },
  ])
    .pieces.join("")
    .replaceAll("\n", "\r\n");
  const bytes = Buffer.from(text, "utf8");
  const inside = bytes.indexOf(Buffer.from("🦞")) + 2;
  const halfLineEnd = bytes.indexOf("\r\n\r\n") + 3;
  const cuts = [7, halfLineEnd, inside].sort((a, b) => a - b);
  const pieces = [0, ...cuts].map((from, index) => bytes.subarray(from, cuts[index]));
  await using open = await play({ pieces });
  expect(open.results()).toMatchObject([{ status: "completed", value: "🦞" }]);
  await using single = await play({ pieces: Array.from(bytes, (byte) => Uint8Array.of(byte)) });
  expect(single.results()).toMatchObject([{ status: "completed", value: "🦞" }]);
});

it("PRV-2 two calls under one id both run, each with its own result under its own id", async () => {
  const call = (index: number, code: string) => ({
    index,
    id: "same",
    function: { name: "exec", arguments: JSON.stringify({ code }) },
  });
  await using open = await play(
    chatReply([
      { tool_calls: [call(0, "return 1")] },
      { tool_calls: [call(1, "return 2")] },
      { finish_reason: "tool_calls" },
    ]),
  );
  expect(open.results()).toMatchObject([{ value: 1 }, { value: 2 }]);
  const sent = open.provider.requests[1]?.body.messages as {
    role: string;
    tool_call_id?: string;
    tool_calls?: { id: string }[];
  }[];
  const asked = sent.find(({ role }) => role === "assistant")?.tool_calls?.map(({ id }) => id) ?? [];
  expect(sent.filter(({ role }) => role === "tool").map(({ tool_call_id }) => tool_call_id)).toEqual(asked);
  expect(new Set(asked).size).toBe(2);
});

it("PRV-2 an id that a model uses again in its next reply belongs to another call", async () => {
  const call = (code: string) =>
    chatReply([
      { tool_calls: [{ index: 0, id: "call_0", function: { name: "exec", arguments: JSON.stringify({ code }) } }] },
      { finish_reason: "tool_calls" },
    ]);
  await using open = await openTurns({ replies: [call("return 1"), call("return 2"), chatText("done")] });
  await open.turns.run("s", { message: "go" });
  const ids = open.events().flatMap(({ type, toolCallId }) => (type === "tool_call" ? [toolCallId] : []));
  expect([ids, open.results()]).toMatchObject([
    ["call_0", "call_0_2"],
    [{ value: 1 }, { value: 2 }],
  ]);
  const sent = open.provider.requests[2]?.body.messages as { tool_call_id?: string; tool_calls?: { id: string }[] }[];
  expect(sent.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id))).toEqual(ids);
  expect(sent.flatMap(({ tool_call_id }) => tool_call_id ?? [])).toEqual(ids);
});

it("PRV-2 a tool that is not there is answered with those that are, and its odd name never poisons the history", async () => {
  const call = { index: 0, id: "x", function: { name: "tools.read:0", arguments: "{}" } };
  await using open = await play(chatReply([{ tool_calls: [call] }, { finish_reason: "tool_calls" }]));
  expect(open.results()).toMatchObject([
    { status: "failed", error: expect.stringMatching(/no tool "tools.read:0".*exec, wait/) },
  ]);
  expect(open.provider.requests[1]?.body.messages.at(-2).tool_calls[0].function.name).toBe("tools_read_0");
});

it("PRV-2 three identical faults end the turn, two do not", async () => {
  const broken = replyOf("P05");
  await using open = await openTurns({ replies: [broken, broken, broken, chatText("never")] });
  await expect(open.turns.run("s", { message: "go" })).rejects.toThrow(
    /three times in the same way: exec: the arguments/,
  );
  expect(open.provider.requests).toHaveLength(3);
  await using saved = await openTurns({ replies: [broken, broken, chatText("at last")] });
  expect((await saved.turns.run("s", { message: "go" })).text).toBe("at last");
});

it("PRV-1 a server that answers a streaming request with one JSON document is understood", async () => {
  const message = {
    role: "assistant",
    content: null,
    tool_calls: [{ id: "a", type: "function", function: { name: "exec", arguments: { code: "return 5" } } }],
  };
  const body = {
    id: "1",
    model: "m",
    choices: [{ index: 0, message, finish_reason: "tool_calls" }],
    usage: { prompt_tokens: 3, completion_tokens: 2 },
  };
  await using open = await play({
    headers: { "content-type": "application/json" },
    pieces: [JSON.stringify(body, null, 2)],
  });
  expect(open.results()).toMatchObject([{ status: "completed", value: 5 }]);
});
