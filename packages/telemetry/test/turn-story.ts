import type { CellEvent, CodeModeTelemetry, RunScope } from "@code-mode/contract";
import type { TurnTraceEvent } from "../src/index.ts";

const scope: RunScope = { agentId: "main", sessionId: "s", sessionKey: "k", agentRunId: "run" };
/** Counters of a result. */
export const telemetry: CodeModeTelemetry = {
  catalogSize: 1,
  sources: { openclaw: 1, mcp: 0, client: 0 },
  searchCount: 0,
  describeCount: 0,
  callCount: 1,
  visibleTools: ["exec", "wait"],
};
/** An event of the turn. */
export const of = (type: string, facts: object = {}): TurnTraceEvent => ({ type, agentRunId: "run", ...facts });
const usage = { inputTokens: 120, outputTokens: 30 };
/** What no span or metric may show. */
export const secret = "a text that is nobody's business";

/** A turn with one program that makes one call, in the order in which a gateway tells it. */
export const story: readonly (TurnTraceEvent | CellEvent)[] = [
  of("turn_started", { agentId: "main", message: secret }),
  of("model_request", { step: 1, model: "openai/gpt-x", tools: ["exec", "wait"] }),
  of("model_response", { step: 1, model: "openai/gpt-x", finishReason: "tool-calls", usage, ms: 250 }),
  of("tool_call", { toolCallId: "e", name: "exec", input: { code: secret } }),
  { type: "cell_started", cellId: "c", toolCallId: "e", scope, code: secret, language: "javascript" },
  { type: "call_started", cellId: "c", callId: "n", toolId: "mcp:a:b", input: { secret }, parentToolCallId: "e" },
  {
    type: "call_ended",
    cellId: "c",
    callId: "n",
    toolId: "mcp:a:b",
    outcome: { ok: false, started: true, error: { name: "E", message: secret, code: "tool_error" } },
    durationMs: 3,
    parentToolCallId: "e",
  },
  {
    type: "cell_result",
    cellId: "c",
    toolCallId: "e",
    result: { status: "completed", value: secret, telemetry },
    durationMs: 9,
  },
  of("tool_result", { toolCallId: "e", name: "exec", result: secret }),
  of("model_request", { step: 2, model: "openai/gpt-x", tools: ["exec", "wait"] }),
  of("turn_ended", { status: "failed", code: "provider_error", text: secret, durationMs: 400 }),
];

type Observer = { onCellEvent?(event: CellEvent): void; onTurnEvent?(sessionId: string, event: TurnTraceEvent): void };

/** Tells the whole turn to an observer. */
export function tell(observer: Observer): void {
  for (const event of story) {
    if (event.type.startsWith("cell_") || event.type.startsWith("call_")) observer.onCellEvent?.(event as CellEvent);
    else observer.onTurnEvent?.("s", event as TurnTraceEvent);
  }
}
