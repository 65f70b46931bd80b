import type { CallRecord, CellEvent, CodeModeTelemetry, RunScope } from "@code-mode/contract";
import { expect, it } from "vitest";
import { createMemoryTranscriptStore } from "../../src/store/memory-transcript-store.ts";
import { openTranscriptStore } from "../../src/store/open-transcript-store.ts";
import { SessionLog } from "../../src/store/session-log.ts";
import { TemporaryFolder } from "../temporary-folder.ts";

const scope: RunScope = { agentId: "main", sessionId: "s", sessionKey: "main:s", agentRunId: "r" };
const telemetry: CodeModeTelemetry = {
  catalogSize: 0,
  sources: { openclaw: 0, mcp: 0, client: 0 },
  searchCount: 0,
  describeCount: 0,
  callCount: 0,
  visibleTools: [],
};
const cellStarted: CellEvent = {
  type: "cell_started",
  cellId: "c",
  toolCallId: "e",
  scope,
  code: "return 1",
  language: "javascript",
};
const callStarted: CellEvent = {
  type: "call_started",
  cellId: "c",
  callId: "n",
  toolId: "t",
  input: { password: "pw" },
  parentToolCallId: "e",
};
const result = (status: "waiting" | "completed"): CellEvent => ({
  type: "cell_result",
  cellId: "c",
  toolCallId: "e",
  result:
    status === "waiting"
      ? { status, runId: "c", reason: "yield", telemetry }
      : { status, value: "topsecret", telemetry },
  durationMs: 1,
});

function openLog(): SessionLog {
  const log = new SessionLog(createMemoryTranscriptStore(), { secrets: ["topsecret"] });
  log.open("s", "main");
  return log;
}

it("turn and cell events of a session come in the order in which they happened, without gap", async () => {
  await using log = openLog();
  log.record("s", { type: "turn_started" });
  log.observer.onCellEvent(cellStarted);
  log.observer.onCellEvent(callStarted);
  const { seq } = log.record("s", { type: "text" });
  log.observer.onCellEvent(result("completed"));
  await log.flush();
  expect(seq).toBe(3);
  expect(log.events("s").map(({ seq: number, type }) => [number, type])).toEqual([
    [0, "turn_started"],
    [1, "cell_started"],
    [2, "call_started"],
    [3, "text"],
    [4, "cell_result"],
  ]);
  expect(log.events("s")[2]).toMatchObject({ id: "n", parentId: "e", input: { password: "[redacted]" } });
});

it("a cell is the session's over its waits, and opens the session of a client that has no turns", async () => {
  await using log = openLog();
  log.observer.onCellEvent({ ...cellStarted, cellId: "other", scope: { ...scope, sessionId: "mcp" } });
  log.observer.onCellEvent({ ...callStarted, cellId: "other" });
  log.observer.onCellEvent(cellStarted);
  log.observer.onCellEvent(result("waiting"));
  log.observer.onCellEvent(callStarted);
  log.observer.onCellEvent({ type: "cell_resumed", cellId: "c", toolCallId: "w", scope });
  log.observer.onCellEvent(result("completed"));
  log.observer.onCellEvent(callStarted);
  await log.flush();
  expect(log.events("s").map(({ type }) => type)).toEqual([
    "cell_started",
    "cell_result",
    "call_started",
    "cell_resumed",
    "cell_result",
  ]);
  expect(log.events("mcp").map(({ type }) => type)).toEqual(["cell_started", "call_started"]);
});

it("what is recorded holds no secrets; the program that a model sent stays verbatim but for registered ones", async () => {
  await using log = openLog();
  const code = `read("/home/ada/x") // ${"long ".repeat(20_000)}topsecret`;
  log.record("s", { type: "tool_call", name: "exec", toolCallId: "e", input: { code, token: "abc" } });
  log.record("s", { type: "tool_call", name: "read", toolCallId: "r", input: { code: "/home/ada" } });
  await log.flush();
  expect(log.events("s").map(({ input }) => input)).toEqual([
    { code: code.replace("topsecret", "[redacted]"), token: "[redacted]" },
    { code: "~" },
  ]);
});

it("the record of a finished call goes to its session", async () => {
  await using log = openLog();
  const record: CallRecord = {
    call: { callId: "n", cellId: "c", parentToolCallId: "e", toolId: "t", input: {}, scope, restartSafe: false },
    toolName: "read",
    executedInput: {},
    outcome: { ok: true, value: 1, executedInput: {} },
    startedAt: 0,
    durationMs: 1,
  };
  log.recorder.record(record);
  log.recorder.record({ ...record, call: { ...record.call, scope: { ...scope, sessionId: "mcp" } } });
  await log.flush();
  expect(log.events("s")).toMatchObject([{ type: "call_recorded", id: "n", parentId: "e", toolName: "read" }]);
});

it("the next gateway on the folder reads history and events from the disk, also what nobody had flushed", async () => {
  using folder = new TemporaryFolder();
  const log = new SessionLog(openTranscriptStore({ dataDir: folder.path }));
  log.open("s", "main");
  log.appendMessages("s", [{ agentRunId: "r1", message: { role: "user", content: "hello" } }]);
  log.record("s", { type: "text" });
  log.observer.onCellEvent(cellStarted);
  await log[Symbol.asyncDispose]();
  await using again = new SessionLog(openTranscriptStore({ dataDir: folder.path }));
  expect(again.messages("s")).toEqual([{ agentRunId: "r1", message: { role: "user", content: "hello" } }]);
  expect(again.events("s").map(({ type }) => type)).toEqual(["text", "cell_started"]);
});

it("events of cells are let go silently once the store is read-only, because observers must not throw", async () => {
  const log = openLog();
  await log[Symbol.asyncDispose]();
  log.observer.onCellEvent(cellStarted);
  await expect(log.flush()).rejects.toMatchObject({ code: "runtime_unavailable" });
  expect(() => log.record("s", { type: "text" })).toThrow(/cannot be written/);
});
