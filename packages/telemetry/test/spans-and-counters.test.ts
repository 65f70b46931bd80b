import type { CellEvent, CodeModeTelemetry, RunScope } from "@code-mode/contract";
import { describe, expect, it } from "vitest";
import { createCellCounters, createSpanObserver, openTelemetryTracer, type SpanTracer } from "../src/index.ts";

const scope: RunScope = { agentId: "main", sessionId: "s1", sessionKey: "k", agentRunId: "r1" };
const telemetry: CodeModeTelemetry = {
  catalogSize: 1,
  sources: { openclaw: 1, mcp: 0, client: 0 },
  searchCount: 0,
  describeCount: 0,
  callCount: 1,
  visibleTools: ["exec", "wait"],
};

const events: CellEvent[] = [
  { type: "cell_started", cellId: "cell", toolCallId: "e", scope, code: "é", language: "typescript" },
  {
    type: "call_started",
    cellId: "cell",
    callId: "c1",
    toolId: "t:1",
    input: { secret: "input-text" },
    parentToolCallId: "e",
  },
  { type: "call_started", cellId: "cell", callId: "c2", toolId: "t:2", input: {}, parentToolCallId: "e" },
  {
    type: "call_ended",
    cellId: "cell",
    callId: "c1",
    toolId: "t:1",
    outcome: { ok: true, value: "abc", executedInput: {} },
    durationMs: 3,
    parentToolCallId: "e",
  },
  {
    type: "cell_result",
    cellId: "cell",
    toolCallId: "e",
    result: { status: "waiting", runId: "r", reason: "pending_tools", telemetry },
    durationMs: 4,
  },
  { type: "cell_resumed", cellId: "cell", toolCallId: "w", scope },
  {
    type: "call_ended",
    cellId: "cell",
    callId: "c2",
    toolId: "t:2",
    outcome: { ok: false, started: true, error: { name: "E", message: "secret-text", code: "tool_error" } },
    durationMs: 5,
    parentToolCallId: "e",
  },
  {
    type: "cell_result",
    cellId: "cell",
    toolCallId: "w",
    result: { status: "failed", error: "x", code: "tool_error", output: [{ type: "text", text: "hi" }], telemetry },
    durationMs: 6,
  },
];

describe("spans", () => {
  it("TEL-3 exec and wait are spans, nested calls are spans below the call that made them", () => {
    const spans: { name: string; parent: string | undefined; attributes: Record<string, unknown>; end?: string }[] = [];
    const names = new Map<object, string>();
    const tracer: SpanTracer = {
      startSpan: (name, attributes, parent) => {
        const record: (typeof spans)[number] = {
          name,
          parent: parent && names.get(parent),
          attributes: { ...attributes },
        };
        spans.push(record);
        const span = {
          setAttributes: (more: object) => void Object.assign(record.attributes, more),
          end: (failure = "ok") => {
            record.end = failure;
          },
        };
        names.set(span, name);
        return span;
      },
    };
    const observer = createSpanObserver(tracer);
    for (const event of events) observer.onCellEvent(event);
    expect(spans.map(({ name, parent, end }) => [name, parent, end])).toEqual([
      ["execute_tool exec", undefined, "ok"],
      ["execute_tool t:1", "execute_tool exec", "ok"],
      ["execute_tool t:2", "execute_tool exec", "tool_error"],
      ["execute_tool wait", undefined, "tool_error"],
    ]);
    expect(spans[0]?.attributes).toMatchObject({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "exec",
      "gen_ai.conversation.id": "s1",
      "code_mode.status": "waiting",
      "code_mode.language": "typescript",
    });
    expect(spans[2]?.attributes).toMatchObject({ "gen_ai.tool.call.id": "c2", "error.type": "tool_error" });
    expect(JSON.stringify(spans)).not.toMatch(/input-text|secret-text/);
  });

  it("OpenTelemetry gets attributes, parents and error status through its own api", () => {
    type Context = { readonly span?: unknown };
    const log: unknown[] = [];
    const tracer = openTelemetryTracer({
      context: { active: (): Context => ({}) },
      trace: {
        setSpan: (_context, span) => ({ span }),
        getTracer: () => ({
          startSpan: (name, { attributes }, context) => {
            const span = {
              name,
              setAttributes: (more: object) => log.push([name, more]),
              setStatus: (status: object) => log.push([name, status]),
              end: () => log.push([name, "end"]),
            };
            log.push([name, attributes, (context.span as { name: string } | undefined)?.name]);
            return span;
          },
        }),
      },
    });
    const parent = tracer.startSpan("a", { x: 1 }, undefined);
    const child = tracer.startSpan("b", {}, parent);
    child.setAttributes({ y: 2 });
    child.end("timeout");
    parent.end();
    expect(log).toEqual([
      ["a", { x: 1 }, undefined],
      ["b", {}, "a"],
      ["b", { y: 2 }],
      ["b", { code: 2, message: "timeout" }],
      ["b", "end"],
      ["a", "end"],
    ]);
  });
});

describe("counters", () => {
  it("TEL-3 cells, results, resumes, calls and bytes are counted", () => {
    const counters = createCellCounters();
    for (const event of events) counters.onCellEvent(event);
    expect(counters.values()).toEqual({
      code_mode_cells_started_total: 1,
      code_mode_source_bytes_total: 2,
      code_mode_resumes_total: 1,
      'code_mode_calls_total{outcome="completed"}': 1,
      'code_mode_calls_total{outcome="failed"}': 1,
      code_mode_call_ms_total: 8,
      code_mode_hidden_bytes_total: 5,
      'code_mode_results_total{status="waiting"}': 1,
      'code_mode_suspends_total{reason="pending_tools"}': 1,
      'code_mode_results_total{status="failed"}': 1,
      'code_mode_failures_total{code="tool_error"}': 1,
      code_mode_result_bytes_total: 29,
    });
  });

  it("TEL-3 tokens saved are what nested results held more than the cell gave the model, four bytes to a token", () => {
    const saved = (nested: string, value: string): number | undefined => {
      const counters = createCellCounters();
      const outcome = { ok: true, value: nested, executedInput: {} } as const;
      counters.onCellEvent(events[0] as CellEvent);
      counters.onCellEvent({ ...(events[3] as Extract<CellEvent, { type: "call_ended" }>), outcome });
      counters.onCellEvent(events[4] as CellEvent);
      counters.onCellEvent({
        type: "cell_result",
        cellId: "cell",
        toolCallId: "w",
        result: { status: "completed", value, telemetry },
        durationMs: 1,
      });
      return counters.values().code_mode_tokens_saved_total;
    };
    expect(saved("x".repeat(400), "y".repeat(40))).toBe(90);
    expect(saved("x".repeat(40), "y".repeat(400))).toBeUndefined();
  });

  it("the Prometheus text has a type per metric and is empty before the first event", () => {
    const counters = createCellCounters();
    expect(counters.toPrometheus()).toBe("");
    counters.onCellEvent({ type: "cell_resumed", cellId: "c", toolCallId: "w", scope });
    expect(counters.toPrometheus()).toBe(
      "# HELP code_mode_resumes_total Waits that reached a suspended cell.\n# TYPE code_mode_resumes_total counter\ncode_mode_resumes_total 1\n",
    );
  });
});
