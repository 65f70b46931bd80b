import type { ToolContext } from "@code-mode/contract";

/** A context for calling a tool without a runtime; collects what the tool reports. */
export function toolContext(updates: unknown[] = [], signal = new AbortController().signal): ToolContext {
  return {
    agentId: "main",
    sessionId: "s",
    sessionKey: "s",
    agentRunId: "r",
    runId: "r",
    toolCallId: "c",
    signal,
    onUpdate: (partial) => void updates.push(partial),
    log: () => undefined,
  };
}
