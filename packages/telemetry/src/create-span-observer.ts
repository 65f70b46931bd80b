import type { CellEvent, CellObserver } from "@code-mode/contract";
import { genAi, genAiOperations, ownNames } from "./gen-ai-names.ts";
import { type TurnObserver, type TurnTraceEvent, textOf, usageOf } from "./turn-trace-event.ts";

/** Attributes of a span. */
export type SpanAttributes = { readonly [name: string]: string | number | boolean | string[] };

/** A running span. */
export type Span = { setAttributes(attributes: SpanAttributes): void; end(failure?: string): void };

/** What the observer needs of a tracing library; `openTelemetryTracer` makes one of OpenTelemetry. */
export type SpanTracer = { startSpan(name: string, attributes: SpanAttributes, parent: Span | undefined): Span };

/**
 * Creates an observer that makes one span per agent run, below it one per model request and one per tool call of the
 * model (`exec` and `wait` among them), and below these one per nested call, with the names of the GenAI conventions.
 * Inputs, outputs, messages and program source never become attributes (TEL-2). Cells without turn events, as those of
 * MCP clients, have spans of their own.
 */
export function createSpanObserver(tracer: SpanTracer): CellObserver & TurnObserver {
  const spans = new Spans(tracer);
  return {
    onCellEvent: (event) => spans.onCell(event),
    onTurnEvent: (sessionId, event) => spans.onTurn(sessionId, event),
  };
}

type Control = Extract<CellEvent, { type: "cell_started" | "cell_resumed" }>;

class Spans {
  readonly #tracer: SpanTracer;
  readonly #runs = new Map<string, Span>();
  readonly #requests = new Map<string, Span>();
  /** Tool calls of the model. */
  readonly #tools = new Map<string, { readonly span: Span; readonly agentRunId: string }>();
  /** Nested calls. */
  readonly #calls = new Map<string, Span>();

  constructor(tracer: SpanTracer) {
    this.#tracer = tracer;
  }

  onTurn(sessionId: string, event: TurnTraceEvent): void {
    const agentRunId = textOf(event.agentRunId);
    if (agentRunId === undefined) return;
    switch (event.type) {
      case "turn_started":
        this.#startRun(sessionId, agentRunId, textOf(event.agentId) ?? "");
        break;
      case "model_request":
        this.#startRequest(agentRunId, event);
        break;
      case "model_response":
        this.#endRequest(agentRunId, event);
        break;
      case "tool_call":
        this.#startTool(agentRunId, textOf(event.toolCallId) ?? "", textOf(event.name) ?? "");
        break;
      case "tool_result":
        this.#endTool(textOf(event.toolCallId) ?? "", undefined);
        break;
      case "turn_ended":
        this.#endRun(agentRunId, event);
        break;
    }
  }

  onCell(event: CellEvent): void {
    switch (event.type) {
      case "cell_started":
        this.#startControl(event, "exec", { [ownNames.language]: event.language });
        break;
      case "cell_resumed":
        this.#startControl(event, "wait", {});
        break;
      case "call_started": {
        const attributes = { ...toolAttributes(event.toolId, event.callId), [ownNames.cellId]: event.cellId };
        const parent = this.#tools.get(event.parentToolCallId)?.span;
        this.#calls.set(event.callId, this.#start(genAiOperations.tool, event.toolId, attributes, parent));
        break;
      }
      case "call_ended":
        end(this.#calls, event.callId, event.outcome.ok ? undefined : event.outcome.error.code);
        break;
      case "cell_result": {
        const { result } = event;
        this.#tools.get(event.toolCallId)?.span.setAttributes({ [ownNames.status]: result.status });
        this.#endTool(event.toolCallId, result.status === "failed" ? (result.code ?? "failed") : undefined);
        break;
      }
    }
  }

  #startRun(sessionId: string, agentRunId: string, agentId: string): void {
    const attributes = {
      [genAi.operation]: genAiOperations.agent,
      [genAi.agentId]: agentId,
      [genAi.conversationId]: sessionId,
      [ownNames.agentRunId]: agentRunId,
    };
    this.#runs.set(agentRunId, this.#start(genAiOperations.agent, agentId, attributes, undefined));
  }

  #endRun(agentRunId: string, event: TurnTraceEvent): void {
    const failure = event.status === "completed" ? undefined : (textOf(event.code) ?? textOf(event.status) ?? "failed");
    // a request or call that broke off has no end of its own
    end(this.#requests, agentRunId, failure ?? "unfinished");
    for (const [id, tool] of this.#tools)
      if (tool.agentRunId === agentRunId) this.#endTool(id, failure ?? "unfinished");
    end(this.#runs, agentRunId, failure);
  }

  #startRequest(agentRunId: string, event: TurnTraceEvent): void {
    const reference = textOf(event.model) ?? "";
    const slash = reference.indexOf("/");
    const model = reference.slice(slash + 1);
    const attributes = {
      [genAi.operation]: genAiOperations.model,
      [genAi.requestModel]: model,
      ...(slash > 0 ? { [genAi.provider]: reference.slice(0, slash) } : {}),
      ...(typeof event.step === "number" ? { [ownNames.step]: event.step } : {}),
    };
    this.#requests.set(agentRunId, this.#start(genAiOperations.model, model, attributes, this.#runs.get(agentRunId)));
  }

  #endRequest(agentRunId: string, event: TurnTraceEvent): void {
    const { input, output } = usageOf(event);
    const reason = textOf(event.finishReason);
    this.#requests.get(agentRunId)?.setAttributes({
      [genAi.inputTokens]: input,
      [genAi.outputTokens]: output,
      ...(reason === undefined ? {} : { [genAi.finishReasons]: [reason] }),
    });
    end(this.#requests, agentRunId, undefined);
  }

  #startControl(event: Control, tool: "exec" | "wait", more: SpanAttributes): void {
    const { scope, toolCallId, cellId } = event;
    const known = this.#tools.get(toolCallId) ?? this.#startTool(scope.agentRunId, toolCallId, tool);
    known.span.setAttributes({
      [genAi.conversationId]: scope.sessionId,
      [genAi.agentId]: scope.agentId,
      [ownNames.cellId]: cellId,
      ...more,
    });
  }

  #startTool(agentRunId: string, toolCallId: string, name: string): { readonly span: Span } {
    const parent = this.#runs.get(agentRunId);
    const span = this.#start(genAiOperations.tool, name, toolAttributes(name, toolCallId), parent);
    const tool = { span, agentRunId };
    this.#tools.set(toolCallId, tool);
    return tool;
  }

  #endTool(toolCallId: string, failure: string | undefined): void {
    const tool = this.#tools.get(toolCallId);
    this.#tools.delete(toolCallId);
    endSpan(tool?.span, failure);
  }

  #start(operation: string, what: string, attributes: SpanAttributes, parent: Span | undefined): Span {
    return this.#tracer.startSpan(`${operation} ${what}`.trim(), attributes, parent);
  }
}

function toolAttributes(name: string, callId: string): SpanAttributes {
  return { [genAi.operation]: genAiOperations.tool, [genAi.toolName]: name, [genAi.toolCallId]: callId };
}

function end(spans: Map<string, Span>, id: string, failure: string | undefined): void {
  const span = spans.get(id);
  spans.delete(id);
  endSpan(span, failure);
}

function endSpan(span: Span | undefined, failure: string | undefined): void {
  if (failure !== undefined) span?.setAttributes({ [genAi.errorType]: failure });
  span?.end(failure);
}
