const names: ReadonlyMap<string, string> = new Map([
  ["text", "text"],
  ["tool_call", "tool_call"],
  ["tool_result", "tool_call"],
  ["call_started", "nested_call"],
  ["call_progress", "nested_call"],
  ["call_ended", "nested_call"],
  ["client_calls", "client_calls"],
  ["turn_ended", "done"],
]);

/** The name under which clients of a turn hear of an event (GW-3); nothing for what is only kept for the record. */
export function streamEventName(type: string): string | undefined {
  return type.startsWith("approval") ? "approval" : names.get(type);
}
