import type { JsonObject, NestedCall, NestedUpdate, ToolContext } from "@code-mode/contract";

/** Where the words of a running tool go. */
export type ToolContextSinks = {
  readonly signal: AbortSignal;
  onUpdate(update: NestedUpdate): void;
  log(message: string, facts: JsonObject): void;
};

/** Progress shows in `pendingToolCalls[].message`, which a model reads. */
const maxProgressLength = 512;

/** What a tool is told about the call that it serves. */
export function buildToolContext(call: NestedCall, sinks: ToolContextSinks): ToolContext {
  return {
    ...call.scope,
    signal: sinks.signal,
    toolCallId: call.callId,
    ...(call.parentToolCallId === "" ? {} : { parentToolCallId: call.parentToolCallId }),
    runId: call.scope.agentRunId,
    onUpdate: (partial) =>
      sinks.onUpdate({ type: "progress", message: progressText(partial).slice(0, maxProgressLength) }),
    log: (message, facts = {}) => sinks.log(message, { ...facts, toolId: call.toolId, callId: call.callId }),
  };
}

function progressText(partial: unknown): string {
  if (typeof partial === "string") return partial;
  try {
    const { message, text } = (partial ?? {}) as { message?: unknown; text?: unknown };
    if (typeof message === "string") return message;
    if (typeof text === "string") return text;
    return JSON.stringify(partial) ?? "";
  } catch {
    return "";
  }
}
