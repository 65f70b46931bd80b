import { didYouMean, type JsonValue, messageOf } from "@code-mode/contract";
import type { ModelMessage } from "ai";
import type { TurnParts } from "./run-turn.ts";

/** A tool call of the model; with a fault it must not run. */
export type RequestedCall = {
  readonly toolCallId: string;
  readonly name: string;
  readonly input: JsonValue;
  readonly fault?: string;
};

/** Runs the calls of one reply in order and gives one tool message each. Never rejects: a failure is an answer too. */
export async function answerToolCalls(calls: readonly RequestedCall[], parts: TurnParts): Promise<ModelMessage[]> {
  const messages: ModelMessage[] = [];
  for (const call of calls) {
    const { toolCallId, name } = call;
    const { agentRunId } = parts.scope;
    const startedAt = performance.now();
    parts.emit({ type: "tool_call", agentRunId, toolCallId, name, input: call.input });
    const result = await answer(call, parts);
    const durationMs = Math.round(performance.now() - startedAt);
    parts.emit({ type: "tool_result", agentRunId, toolCallId, name, result, durationMs });
    messages.push({
      role: "tool",
      content: [{ type: "tool-result", toolCallId, toolName: name, output: { type: "json", value: result as never } }],
    });
  }
  return messages;
}

async function answer(call: RequestedCall, { tools, scope, signal }: TurnParts): Promise<JsonValue> {
  if (call.fault !== undefined) return { error: call.fault };
  const tool = tools.find(({ name }) => name === call.name);
  if (tool === undefined) {
    const names = tools.map(({ name }) => name);
    return {
      error: `there is no tool ${call.name}.${didYouMean(call.name, names)} Tools: ${names.join(", ")}. Other tools are reached from a program given to exec.`,
    };
  }
  try {
    return toJson(await tool.call(call.input, { scope, signal, toolCallId: call.toolCallId }));
  } catch (error) {
    return { error: messageOf(error) };
  }
}

function toJson(value: unknown): JsonValue {
  return value === undefined ? null : (JSON.parse(JSON.stringify(value)) as JsonValue);
}
