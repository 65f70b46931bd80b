import type { CellEvent, CellObserver } from "@code-mode/contract";

/** Attributes of a span. */
export type SpanAttributes = { readonly [name: string]: string | number | boolean };

/** A running span. */
export type Span = { setAttributes(attributes: SpanAttributes): void; end(failure?: string): void };

/** What the observer needs of a tracing library; `openTelemetryTracer` makes one of OpenTelemetry. */
export type SpanTracer = { startSpan(name: string, attributes: SpanAttributes, parent: Span | undefined): Span };

/**
 * Creates an observer that makes one span per `exec` or `wait` call and one per nested call below it, with the names of
 * the GenAI conventions. Inputs, outputs and program source never become attributes (TEL-2).
 */
export function createSpanObserver(tracer: SpanTracer): CellObserver {
  const controls = new Map<string, Span>();
  const calls = new Map<string, Span>();
  const startControl = (
    event: Extract<CellEvent, { type: "cell_started" | "cell_resumed" }>,
    tool: "exec" | "wait",
    more: SpanAttributes,
  ) => {
    const attributes = {
      ...toolAttributes(tool, event.toolCallId),
      "gen_ai.conversation.id": event.scope.sessionId,
      "gen_ai.agent.id": event.scope.agentId,
      "code_mode.cell.id": event.cellId,
      ...more,
    };
    controls.set(event.toolCallId, tracer.startSpan(`execute_tool ${tool}`, attributes, undefined));
  };
  return {
    onCellEvent: (event) => {
      switch (event.type) {
        case "cell_started":
          startControl(event, "exec", { "code_mode.language": event.language });
          break;
        case "cell_resumed":
          startControl(event, "wait", {});
          break;
        case "call_started": {
          const attributes = { ...toolAttributes(event.toolId, event.callId), "code_mode.cell.id": event.cellId };
          calls.set(
            event.callId,
            tracer.startSpan(`execute_tool ${event.toolId}`, attributes, controls.get(event.parentToolCallId)),
          );
          break;
        }
        case "call_ended":
          endSpan(calls, event.callId, event.outcome.ok ? undefined : event.outcome.error.code);
          break;
        case "cell_result": {
          const { result } = event;
          controls.get(event.toolCallId)?.setAttributes({ "code_mode.status": result.status });
          endSpan(controls, event.toolCallId, result.status === "failed" ? (result.code ?? "failed") : undefined);
          break;
        }
      }
    },
  };
}

function toolAttributes(name: string, callId: string): SpanAttributes {
  return { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name, "gen_ai.tool.call.id": callId };
}

function endSpan(spans: Map<string, Span>, id: string, failure: string | undefined): void {
  const span = spans.get(id);
  spans.delete(id);
  if (failure !== undefined) span?.setAttributes({ "error.type": failure });
  span?.end(failure);
}
