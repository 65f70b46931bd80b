import type { CellEvent, CodeModeTelemetry, NestedCall, RunScope } from "@code-mode/contract";
import { describe, expect, it } from "vitest";
import { createTrajectoryRecorder, type TrajectoryOptions } from "../src/index.ts";

const scope: RunScope = { agentId: "main", sessionId: "s1", sessionKey: "k", agentRunId: "r1" };
const telemetry: CodeModeTelemetry = {
  catalogSize: 1,
  sources: { openclaw: 1, mcp: 0, client: 0 },
  searchCount: 0,
  describeCount: 0,
  callCount: 1,
  visibleTools: ["exec", "wait"],
};

function buildRecorder(options: Partial<TrajectoryOptions> = {}) {
  const lines: Record<string, unknown>[] = [];
  const recorder = createTrajectoryRecorder({
    write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>),
    now: () => 0,
    ...options,
  });
  return { lines, recorder };
}

const call: NestedCall = {
  callId: "c1",
  cellId: "cell",
  parentToolCallId: "exec-1",
  toolId: "openclaw:core:read",
  input: { path: "a" },
  scope,
  restartSafe: false,
};
const started: CellEvent = {
  type: "cell_started",
  cellId: "cell",
  toolCallId: "exec-1",
  scope,
  code: "return 1",
  language: "javascript",
};
const callStarted: CellEvent = { ...call, type: "call_started" };

describe("trajectory", () => {
  it("TRJ-2 nested calls name the exec or wait call that they belong to", () => {
    const { lines, recorder } = buildRecorder();
    const outcome = { ok: true, value: "text", executedInput: { path: "b" } } as const;
    recorder.onCellEvent(started);
    recorder.onCellEvent(callStarted);
    recorder.onCellEvent({
      type: "call_progress",
      cellId: "cell",
      callId: "c1",
      toolId: call.toolId,
      update: { type: "progress", message: "half" },
    });
    recorder.record({ call, toolName: "read", executedInput: { path: "b" }, outcome, startedAt: 5, durationMs: 2 });
    recorder.onCellEvent({
      type: "call_ended",
      cellId: "cell",
      callId: "c1",
      toolId: call.toolId,
      outcome,
      durationMs: 2,
      parentToolCallId: "exec-1",
    });
    recorder.onCellEvent({ type: "cell_resumed", cellId: "cell", toolCallId: "wait-1", scope });
    recorder.onCellEvent({
      type: "cell_result",
      cellId: "cell",
      toolCallId: "wait-1",
      result: { status: "completed", value: 1, telemetry },
      durationMs: 9,
    });
    expect(lines.map(({ seq, type, id, parentId, cellId }) => [seq, type, id, parentId, cellId])).toEqual([
      [0, "cell_started", "exec-1", undefined, "cell"],
      [1, "call_started", "c1", "exec-1", "cell"],
      [2, "call_progress", "c1", "exec-1", "cell"],
      [3, "call_recorded", "c1", "exec-1", "cell"],
      [4, "call_ended", "c1", "exec-1", "cell"],
      [5, "cell_resumed", "wait-1", undefined, "cell"],
      [6, "cell_result", "wait-1", undefined, "cell"],
    ]);
    expect(lines[3]).toEqual({
      seq: 3,
      at: "1970-01-01T00:00:00.000Z",
      type: "call_recorded",
      id: "c1",
      parentId: "exec-1",
      cellId: "cell",
      toolId: "openclaw:core:read",
      toolName: "read",
      input: { path: "b" },
      outcome: { ok: true, value: "text" },
      startedAt: "1970-01-01T00:00:00.005Z",
      durationMs: 2,
    });
  });

  it("TRJ-1 control calls keep source, language, scope and result", () => {
    const { lines, recorder } = buildRecorder();
    recorder.onCellEvent(started);
    recorder.onCellEvent({
      type: "cell_result",
      cellId: "cell",
      toolCallId: "exec-1",
      result: { status: "failed", error: "x", code: "timeout", telemetry },
      durationMs: 1,
    });
    expect(lines[0]).toMatchObject({ code: "return 1", language: "javascript", scope });
    expect(lines[1]).toMatchObject({ result: { status: "failed", error: "x", code: "timeout", telemetry } });
  });

  it("a direct call has no parent", () => {
    const { lines, recorder } = buildRecorder();
    recorder.record({
      call: { ...call, parentToolCallId: "" },
      toolName: "read",
      executedInput: {},
      outcome: { ok: true, value: 1, executedInput: {} },
      startedAt: 0,
      durationMs: 0,
    });
    expect(lines[0]).not.toHaveProperty("parentId");
  });

  it("TEL-2 inputs, outcomes, progress and results are redacted", () => {
    const { lines, recorder } = buildRecorder({ secrets: ["topsecret"] });
    recorder.onCellEvent({ ...callStarted, input: { password: "pw", url: "https://ada:pw@x.example" } });
    recorder.onCellEvent({
      type: "call_progress",
      cellId: "cell",
      callId: "c1",
      toolId: "t",
      update: { type: "progress", message: "topsecret" },
    });
    recorder.record({
      call,
      toolName: "t",
      executedInput: "topsecret",
      outcome: { ok: false, started: true, error: { name: "E", message: "topsecret", code: "x" } },
      startedAt: 0,
      durationMs: 0,
    });
    recorder.onCellEvent({
      type: "cell_result",
      cellId: "cell",
      toolCallId: "e",
      result: { status: "completed", value: "topsecret", telemetry },
      durationMs: 0,
    });
    expect(lines).toHaveLength(4);
    expect(JSON.stringify(lines)).not.toMatch(/topsecret|pw/);
  });

  it("program source stays verbatim, home paths and all, but for registered secrets", () => {
    const code = 'return tools.read({ path: "/home/ada/x", token: "abc" }) // topsecret';
    const { lines, recorder } = buildRecorder({ secrets: ["topsecret"], maxTextLength: 10 });
    recorder.onCellEvent({ ...started, code });
    expect(lines[0]?.code).toBe(code.replace("topsecret", "[redacted]"));
  });

  it("every line is one line, whatever the data", () => {
    const lines: string[] = [];
    const recorder = createTrajectoryRecorder({ write: (line) => lines.push(line) });
    recorder.onCellEvent({ ...started, code: "a\nb\r\n\u2028c" });
    expect(lines[0]).not.toMatch(/[\r\n]/);
  });

  it("a writer that fails is counted and breaks nothing", () => {
    const { recorder } = buildRecorder({
      write: () => {
        throw new Error("disk full");
      },
    });
    recorder.onCellEvent(started);
    recorder.onCellEvent(callStarted);
    expect(recorder.failures).toBe(2);
  });
});
