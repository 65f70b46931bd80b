import { type JsonValue, type ModelTool, messageOf, type RunScope } from "@code-mode/contract";
import type { ModelMessage } from "ai";
import type { RequestedCall } from "./requested-calls.ts";
import { toolOutput } from "./tool-output.ts";
import type { TurnEvent } from "./turn-event.ts";

/** What calls are answered with. */
export type AnswerParts = {
  readonly scope: RunScope;
  readonly tools: readonly ModelTool[];
  readonly signal: AbortSignal;
  emit(event: TurnEvent): unknown;
  /** Takes each answer as soon as it is there. */
  add(message: ModelMessage): void;
};

/** Runs the calls of one reply in order; each gets exactly one tool message. Never rejects: a failure is an answer too. */
export async function answerToolCalls(calls: readonly RequestedCall[], parts: AnswerParts): Promise<void> {
  for (const call of calls) {
    const { toolCallId, name } = call;
    const { agentRunId } = parts.scope;
    const startedAt = performance.now();
    parts.emit({ type: "tool_call", agentRunId, toolCallId, name, input: call.input });
    const { output, shown } = toolOutput(await answer(call, parts));
    const durationMs = Math.round(performance.now() - startedAt);
    parts.emit({ type: "tool_result", agentRunId, toolCallId, name, result: shown, durationMs });
    parts.add({ role: "tool", content: [{ type: "tool-result", toolCallId, toolName: name, output }] });
  }
}

async function answer(call: RequestedCall, { tools, scope, signal }: AnswerParts): Promise<JsonValue> {
  if (call.fault !== undefined) return failed("invalid_input", call.fault);
  if (signal.aborted) return failed("aborted", "the turn was aborted before this call began; it did not run.");
  const tool = tools.find(({ name }) => name === call.name);
  if (tool === undefined) return failed("invalid_input", `there is no tool ${call.name}.`);
  try {
    return toJson(await tool.call(call.input, { scope, signal, toolCallId: call.toolCallId }));
  } catch (error) {
    return { error: messageOf(error) };
  }
}

/** The shape of a failed cell, so that a model meets one form of failure. */
function failed(code: string, error: string): JsonValue {
  return { status: "failed", code, error };
}

function toJson(value: unknown): JsonValue {
  return value === undefined ? null : (JSON.parse(JSON.stringify(value)) as JsonValue);
}
