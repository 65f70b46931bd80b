import type { ModelMessage } from "ai";
import { expect, it } from "vitest";
import { historyRuleOf } from "../../src/provider/history-rule.ts";
import { prepareHistory } from "../../src/provider/prepare-history.ts";
import { chatCall, chatText } from "../provider/wire-replies.ts";
import { openTurns } from "./open-turns.ts";

type Sent = {
  role: string;
  content?: unknown;
  tool_call_id?: string;
  tool_calls?: { id: string; function: { arguments: string } }[];
};

const call = (toolCallId: string, input: unknown = { code: "return 1" }) =>
  ({ type: "tool-call", toolCallId, toolName: "exec", input }) as const;
const result = (toolCallId: string, value: string): ModelMessage => ({
  role: "tool",
  content: [{ type: "tool-result", toolCallId, toolName: "exec", output: { type: "text", value } }],
});

/** What goes over the wire when a session begins with this history. */
async function sent(history: readonly ModelMessage[], provider = {}, model = "test"): Promise<Sent[]> {
  await using open = await openTurns({ replies: [chatText("ok")], provider, model });
  await open.turns.run("s", { message: "continue", history });
  // what is stored is what happened, not what was sent
  expect(
    open.log
      .messages("s")
      .slice(0, history.length)
      .map(({ message }) => message),
  ).toEqual(history);
  return open.provider.requests[0]?.body.messages as Sent[];
}

it("PRV-2 a call that was interrupted gets a result that says what is known, behind those that are there (P11)", async () => {
  const messages = await sent([
    { role: "user", content: "go" },
    { role: "assistant", content: [call("a"), call("b")] },
    result("a", "1"),
  ]);
  expect(messages.map(({ role, tool_call_id }) => tool_call_id ?? role)).toEqual([
    "user",
    "assistant",
    "a",
    "b",
    "user",
  ]);
  expect(messages[3]?.content).toMatch(/interrupted.*may have run/);
});

it("PRV-2 a result without a call is left out (P12)", async () => {
  const messages = await sent([{ role: "user", content: "go" }, result("zz", "1")]);
  expect(messages.map(({ role }) => role)).toEqual(["user", "user"]);
});

it("PRV-2 ids are made to fit the provider, the same on both sides and different for different calls (P14)", async () => {
  const long = "call_0123456789abcdef|fc_99";
  const history: ModelMessage[] = [
    { role: "user", content: "go" },
    { role: "assistant", content: [call(long), call(`${long}x`)] },
    result(long, "1"),
    result(`${long}x`, "2"),
    { role: "assistant", content: [call(long)] },
    result(long, "3"),
  ];
  for (const [provider, model, form] of [
    [{ toolCallIds: "alphanumeric9" }, "test", /^[a-zA-Z0-9]{9}$/],
    [{}, "mistral-large", /^[a-zA-Z0-9]{9}$/],
    [{}, "test", /^[a-zA-Z0-9_-]{1,40}$/],
  ] as const) {
    const messages = await sent(history, provider, model);
    const asked = messages.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id));
    const answered = messages.flatMap(({ tool_call_id: id, content }) => (id === undefined ? [] : [[id, content]]));
    expect(new Set(asked).size).toBe(3);
    expect(asked.every((id) => form.test(id))).toBe(true);
    expect(answered).toEqual([
      [asked[0], "1"],
      [asked[1], "2"],
      [asked[2], "3"],
    ]);
  }
});

it("PRV-2 system texts in the middle of a conversation go in front, none is dropped (P17)", async () => {
  const messages = await sent([
    { role: "system", content: "be brief" },
    { role: "user", content: "hi" },
    { role: "system", content: "note" },
  ]);
  expect(messages.map(({ role }) => role)).toEqual(["system", "user", "user"]);
  expect(messages[0]?.content).toBe("be brief\n\nnote");
});

it("PRV-2 nothing empty, no lone surrogate and no argument that is no object goes out", async () => {
  const messages = await sent([
    { role: "user", content: "  " },
    { role: "assistant", content: "" },
    { role: "assistant", content: [{ type: "text", text: " " }] },
    { role: "user", content: "half \ud83e" },
    {
      role: "assistant",
      content: [{ type: "text", text: "" }, call("a", "raw \udd80 text"), call("b", { code: "'\ud83e'" })],
    },
    result("a", ""),
    result("b", "\udd80"),
  ]);
  expect(messages.map(({ role, content }) => [role, content])).toEqual([
    ["user", "(no text)"],
    ["user", "half \ufffd"],
    ["assistant", null],
    ["tool", "(no output)"],
    ["tool", "\ufffd"],
    ["user", "continue"],
  ]);
  expect(messages[2]?.tool_calls?.map((made) => JSON.parse(made.function.arguments))).toEqual([
    {},
    { code: "'\ufffd'" },
  ]);
});

it("PRV-2 a turn that is aborted in a call leaves a history that the next turn can go on with", async () => {
  const gate = globalThis as { testGate?: unknown };
  const reached = Promise.withResolvers<void>();
  gate.testGate = () => reached.resolve();
  await using open = await openTurns({
    replies: [
      chatCall("exec", { code: "await tools.counter_incr({key: 'abort'}); await tools.gate({})" }),
      chatText("fine"),
    ],
  });
  const turn = open.turns.start("s", { message: "go" });
  await reached.promise;
  turn.abort("test");
  await expect(turn.done).rejects.toMatchObject({ code: "aborted", message: expect.stringContaining("test") });
  expect(open.turns.running("s")).toBeUndefined();
  expect((await open.turns.run("s", { message: "next" })).text).toBe("fine");
  const messages = open.provider.requests[1]?.body.messages as Sent[];
  expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user"]);
  // the result is the real one: it says which calls ran
  expect(JSON.parse(String(messages[2]?.content))).toMatchObject({
    status: "failed",
    code: "aborted",
    telemetry: { calls: { completed: 1 } },
  });
});

it("a history that is in order goes out as it is", () => {
  const history: ModelMessage[] = [
    { role: "user", content: "go" },
    { role: "assistant", content: [{ type: "reasoning", text: "hm \ud83e" }, { type: "text", text: "so" }, call("a")] },
    result("a", "1"),
    { role: "assistant", content: "done" },
  ];
  const prepared = prepareHistory(history, { rule: historyRuleOf({ api: "openai-chat", name: "p/m" }) });
  expect(prepared.system).toEqual([]);
  expect(prepared.messages).toEqual([
    ...history.slice(0, 3),
    { role: "assistant", content: [{ type: "text", text: "done" }] },
  ]);
});

it("a history that begins with the model gets a user in front where the provider demands one", () => {
  const history: ModelMessage[] = [{ role: "assistant", content: "hello" }];
  const roles = (api: string) =>
    prepareHistory(history, { rule: historyRuleOf({ api, name: "p/m" }) }).messages.map(({ role }) => role);
  expect([roles("anthropic"), roles("google"), roles("openai-chat")]).toEqual([
    ["user", "assistant"],
    ["user", "assistant"],
    ["assistant"],
  ]);
});
