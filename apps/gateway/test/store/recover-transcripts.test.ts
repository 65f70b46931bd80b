import type { CellEvent, CodeModeTelemetry, RunScope } from "@code-mode/contract";
import type { ModelMessage } from "ai";
import { expect, it } from "vitest";
import { createMemoryTranscriptStore } from "../../src/store/memory-transcript-store.ts";
import { describeRecovery, recoverTranscripts } from "../../src/store/recover-transcripts.ts";
import { SessionLog } from "../../src/store/session-log.ts";

const scope: RunScope = { agentId: "main", sessionId: "s", sessionKey: "main:s", agentRunId: "r1" };
const telemetry: CodeModeTelemetry = {
  catalogSize: 1,
  sources: { openclaw: 1, mcp: 0, client: 0 },
  searchCount: 0,
  describeCount: 0,
  callCount: 1,
  visibleTools: ["exec", "wait"],
};

type Told = { readonly type: string; readonly [key: string]: unknown };

/** Writes what a gateway had recorded when it was killed. */
async function killedAfter(events: readonly Told[], messages: readonly ModelMessage[] = []) {
  const store = createMemoryTranscriptStore();
  const log = new SessionLog(store);
  log.open("s", "main");
  for (const event of events) {
    const cell = ["cell_started", "cell_resumed", "cell_result", "call_started", "call_ended"].includes(event.type);
    if (cell) log.observer.onCellEvent(event as unknown as CellEvent);
    else log.record("s", event);
  }
  log.appendMessages(
    "s",
    messages.map((message) => ({ agentRunId: "r1", message })),
  );
  await log.flush();
  const before = store.session("s")?.events ?? 0;
  const summary = await recoverTranscripts(store);
  const added = store.events("s", { after: before - 1 });
  return { store, summary, added };
}

const started = { type: "turn_started", agentRunId: "r1", agentId: "main", message: "go" };
const execCall = { type: "tool_call", agentRunId: "r1", toolCallId: "e", name: "exec", input: { code: "1" } };
const execResult = (result: unknown) => ({
  type: "tool_result",
  agentRunId: "r1",
  toolCallId: "e",
  name: "exec",
  result,
  durationMs: 1,
});
const cellStarted = { type: "cell_started", cellId: "c", toolCallId: "e", scope, code: "1", language: "javascript" };
const call = (id: string) => ({ cellId: "c", callId: id, toolId: `tool:${id}`, parentToolCallId: "e" });
const callStarted = (id: string) => ({ type: "call_started", ...call(id), input: {} });
const callEnded = (id: string, ok: boolean) => ({
  type: "call_ended",
  ...call(id),
  outcome: ok ? { ok, value: 1 } : { ok, started: true, error: { name: "E", message: "m", code: "tool_error" } },
  durationMs: 1,
});
const waiting = (more: object = {}) => ({ status: "waiting", runId: "run", reason: "yield", telemetry, ...more });
const suspended = (more?: object) => ({
  type: "cell_result",
  cellId: "c",
  toolCallId: "e",
  result: waiting(more),
  durationMs: 1,
});
const waitCall = { type: "tool_call", agentRunId: "r1", toolCallId: "w", name: "wait", input: { runId: "run" } };
const ended = { type: "turn_ended", agentRunId: "r1", status: "completed", text: "done", durationMs: 1 };

it("GW-7 an interrupted turn is marked once; a turn that ended is not touched", async () => {
  const { store, summary, added } = await killedAfter([started, ended, { ...started, agentRunId: "r2" }]);
  expect(added.map(({ type, agentRunId }) => [type, agentRunId])).toEqual([["turn_interrupted", "r2"]]);
  expect(summary.turns).toEqual([
    { sessionId: "s", agentId: "main", agentRunId: "r2", message: "go", recoverable: undefined },
  ]);
  expect(await recoverTranscripts(store)).toEqual({ turns: [], cells: [], closedApprovals: 0 });
  expect((await killedAfter([started, ended])).added).toEqual([]);
});

it("GW-7 a suspended cell is reported lost with the calls that had run, failed or had no outcome yet", async () => {
  const { summary, added } = await killedAfter([
    started,
    execCall,
    cellStarted,
    callStarted("a"),
    callEnded("a", true),
    callStarted("b"),
    callEnded("b", false),
    callStarted("x"),
    suspended(),
    execResult(waiting()),
  ]);
  const facts = {
    agentRunId: "r1",
    cellId: "c",
    was: "suspended",
    runId: "run",
    restartSafe: false,
    completed: [{ id: "a", toolId: "tool:a" }],
    failed: [{ id: "b", toolId: "tool:b" }],
    unfinished: [{ id: "x", toolId: "tool:x" }],
  };
  expect(summary.cells).toEqual([{ sessionId: "s", ...facts }]);
  expect(added[0]).toMatchObject({ type: "cell_lost", ...facts });
  expect(describeRecovery(summary)).toEqual([
    "session s: its turn was interrupted.",
    "session s: suspended cell c is lost; calls completed 1, failed 1, unfinished 1.",
  ]);
});

it("a cell that ran is lost too; one that had ended and one of an earlier turn are not", async () => {
  const running = await killedAfter([started, execCall, cellStarted, callStarted("a")]);
  expect(running.summary.cells).toMatchObject([{ cellId: "c", was: "running", unfinished: [{ id: "a" }] }]);
  const done = {
    type: "cell_result",
    cellId: "c",
    toolCallId: "e",
    result: { status: "completed", value: 1, telemetry },
  };
  expect((await killedAfter([started, execCall, cellStarted, done])).summary.cells).toEqual([]);
  const earlier = [started, execCall, cellStarted, suspended(), execResult(waiting()), ended];
  expect((await killedAfter([...earlier, { ...started, agentRunId: "r2" }])).summary.cells).toEqual([]);
});

it("GW-7 open approvals are closed, decided ones are not", async () => {
  const facts = { sessionId: "s", agentRunId: "r1", cellId: "c", callId: "x", parentToolCallId: "e", toolId: "t" };
  const { summary, added } = await killedAfter([
    started,
    { type: "approval_requested", approvalId: "p1", ...facts, toolName: "t", input: {}, expiresAt: "" },
    { type: "approval_requested", approvalId: "p2", ...facts, toolName: "t", input: {}, expiresAt: "" },
    { type: "approval_decided", approvalId: "p1", ...facts, approved: true, by: "http" },
  ]);
  expect(summary.closedApprovals).toBe(1);
  expect(added[0]).toMatchObject({
    type: "approval_closed",
    approvalId: "p2",
    ...facts,
    state: "closed",
    reason: "the gateway was restarted",
  });
});

it("GW-7 every call of the model gets its one answer, which says what had run", async () => {
  const assistant: ModelMessage = {
    role: "assistant",
    content: [
      { type: "tool-call", toolCallId: "e", toolName: "exec", input: { code: "1" } },
      { type: "tool-call", toolCallId: "later", toolName: "read", input: {} },
    ],
  };
  const { store, added } = await killedAfter(
    [started, execCall, cellStarted, callStarted("a"), callEnded("a", true)],
    [{ role: "user", content: "go" }, assistant],
  );
  const result = added.find(({ type }) => type === "tool_result");
  expect(result).toMatchObject({ toolCallId: "e", name: "exec", result: { status: "failed", code: "aborted" } });
  expect(JSON.stringify(result)).toContain("Completed calls: tool:a");
  const answers = store.messages("s").slice(2);
  expect(answers.map(({ agentRunId, message }) => [agentRunId, message.role])).toEqual([
    ["r1", "tool"],
    ["r1", "tool"],
  ]);
  expect(answers.flatMap(({ message }) => message.content as { toolCallId?: string }[])).toMatchObject([
    { toolCallId: "e", output: { value: { status: "failed" } } },
    { toolCallId: "later" },
  ]);
});

it("LIFE-7 a turn interrupted in the wait of a restartSafe cell is named as recoverable, and no other", async () => {
  const upTo = (more?: object) => [
    started,
    execCall,
    cellStarted,
    suspended(more),
    execResult(waiting(more)),
    waitCall,
  ];
  const resumed = { type: "cell_resumed", cellId: "c", toolCallId: "w", scope };
  const recoverable = { toolCallId: "w", runId: "run", cellId: "c" };
  const turnsOf = async (events: readonly Told[]) =>
    (await killedAfter(events)).summary.turns.map((turn) => turn.recoverable);
  expect(await turnsOf(upTo({ restartSafe: true }))).toEqual([recoverable]);
  expect(await turnsOf([...upTo({ restartSafe: true }), resumed])).toEqual([recoverable]);
  expect(await turnsOf(upTo())).toEqual([undefined]);
  expect(await turnsOf(upTo({ restartSafe: true }).slice(0, -1))).toEqual([undefined]);
  const answered = { ...execResult({}), toolCallId: "w", name: "wait" };
  expect(await turnsOf([...upTo({ restartSafe: true }), answered])).toEqual([undefined]);
});

it("a long turn is read to its beginning", async () => {
  const many = Array.from({ length: 1200 }, (_, n) => ({ type: "text", agentRunId: "r1", text: `${n}` }));
  const { summary } = await killedAfter([started, execCall, cellStarted, ...many]);
  expect([summary.turns.length, summary.cells.length]).toEqual([1, 1]);
});
