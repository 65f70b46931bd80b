import { expect, it } from "vitest";
import { openTranscriptStore } from "../../src/store/open-transcript-store.ts";
import { chatCall, chatReply, chatText } from "../provider/wire-replies.ts";
import { TemporaryFolder } from "../temporary-folder.ts";
import { createFailingStore } from "./failing-store.ts";
import { openTurns } from "./open-turns.ts";

const gate = globalThis as { testGate?: (open: (value: unknown) => void) => void };

it("a turn is refused for an unknown agent, an odd session id, a busy session and a closing gateway", async () => {
  await using open = await openTurns({ replies: [chatText("hi")] });
  const { turns } = open;
  expect(() => turns.start("s", { agent: "nobody", message: "x" })).toThrow(
    "there is no agent nobody; configured: main.",
  );
  for (const id of ["", "a/b", "a b", "x".repeat(129), "ä"])
    expect(() => turns.start(id, { message: "x" })).toThrow("the session id");
  const first = turns.start("A.z-9_:", { message: "x" });
  expect(() => turns.start("A.z-9_:", { message: "y" })).toThrow(
    expect.objectContaining({ status: 409, code: "turn_in_progress" }),
  );
  await first.done;
  await turns[Symbol.asyncDispose]();
  expect(() => turns.start("s", { message: "x" })).toThrow(expect.objectContaining({ status: 503 }));
});

it("a turn knows its place in the record, and its text and end are heard", async () => {
  await using open = await openTurns({
    replies: [chatReply([{ content: "a" }, { content: "b" }, { finish_reason: "stop" }])],
  });
  await open.turns.run("s", { message: "one" });
  const turn = open.turns.start("s", { message: "two" });
  const heard: string[] = [];
  const silent: string[] = [];
  turn.onText((delta) => heard.push(delta));
  turn.onText((delta) => silent.push(delta))();
  expect(await turn.done).toEqual({
    sessionId: "s",
    agentRunId: turn.agentRunId,
    status: "completed",
    text: "ab",
    steps: 1,
    usage: { inputTokens: 10, outputTokens: 5, requests: 1 },
  });
  expect([heard, silent]).toEqual([["a", "b"], []]);
  expect(open.events()[turn.firstSeq]).toMatchObject({
    seq: turn.firstSeq,
    type: "turn_started",
    agentRunId: turn.agentRunId,
    message: "two",
  });
  expect(open.events().map(({ seq }) => seq)).toEqual(open.events().map((_, index) => index));
});

it("instructions of agent and request go in front, and a given history begins a new session only", async () => {
  const config = { plugins: [], tools: { codeMode: true }, agents: { main: { instructions: "Be kind." } } };
  await using open = await openTurns({ replies: [chatText("ok")], config });
  const history = [{ role: "user", content: "before" } as const, { role: "assistant", content: "said" } as const];
  await open.turns.run("s", { message: "one", instructions: "Be brief.", history });
  await open.turns.run("s", { message: "two", history });
  const [first, second] = open.provider.requests.map(({ body }) =>
    body.messages.map(({ content }: { content: string }) => content),
  );
  expect(first).toEqual(["Be kind.\n\nBe brief.", "before", "said", "one"]);
  expect(second).toEqual(["Be kind.", "before", "said", "one", "ok", "two"]);
});

it("ACT-2 a turn without tools offers none, even when the model calls one", async () => {
  await using open = await openTurns({ replies: [chatCall("exec", { code: "return 1" }), chatText("fine")] });
  await open.turns.run("s", { message: "go", disableTools: true });
  expect(open.provider.requests.map(({ body }) => body.tools)).toEqual([undefined, undefined]);
  expect(open.results()).toMatchObject([{ status: "failed", error: expect.stringContaining("This run has no tools") }]);
});

it("GW-7 a finished turn is on disk: another process reads history and events and the session goes on", async () => {
  using folder = new TemporaryFolder();
  const dataDir = folder.path;
  {
    await using open = await openTurns({
      replies: [chatCall("exec", { code: "return 7" }), chatText("seven")],
      store: openTranscriptStore({ dataDir }),
    });
    await open.turns.run("s", { message: "go" });
  }
  await using again = await openTurns({ replies: [chatText("again")], store: openTranscriptStore({ dataDir }) });
  expect(again.events().map(({ type }) => type)).toContain("cell_result");
  expect(again.events().at(-1)).toMatchObject({ type: "turn_ended", text: "seven" });
  await again.turns.run("s", { message: "more" });
  expect(again.provider.requests[0]?.body.messages.map(({ role }: { role: string }) => role)).toEqual([
    "user",
    "assistant",
    "tool",
    "assistant",
    "user",
  ]);
});

it("GW-7 a call is on disk before it runs", async () => {
  const reached = Promise.withResolvers<(value: unknown) => void>();
  gate.testGate = (open) => reached.resolve(open);
  await using open = await openTurns({
    replies: [chatCall("exec", { code: "return await tools.gate({})" }, "c1"), chatText("ok")],
  });
  const turn = open.turns.start("s", { message: "go" });
  const openGate = await reached.promise;
  // read from the store, which shows what is durable and nothing else
  expect(open.log.messages("s").map(({ message }) => message.role)).toEqual(["user", "assistant"]);
  openGate(1);
  await turn.done;
  expect(open.log.messages("s").map(({ message }) => message.role)).toEqual(["user", "assistant", "tool", "assistant"]);
});

it("GW-7 a store that cannot write refuses turns with 503 and ends a running one before its call runs", async () => {
  const failing = createFailingStore();
  const reply = chatCall("exec", { code: "return await tools.counter_incr({ key: 'full' })" });
  await using open = await openTurns({
    store: failing.store,
    replies: () => {
      failing.fail();
      return reply;
    },
  });
  const failure = { status: 503, code: "store_unavailable", message: expect.stringContaining("the disk is full") };
  await expect(open.turns.run("s", { message: "go" })).rejects.toMatchObject(failure);
  await expect(open.turns.run("s", { message: "go" })).rejects.toMatchObject(failure);
  expect((globalThis as { testCounters?: object }).testCounters ?? {}).not.toHaveProperty("full");
});
