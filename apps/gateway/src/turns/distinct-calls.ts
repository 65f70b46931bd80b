import type { AssistantModelMessage, ModelMessage } from "ai";
import type { ReadCall } from "./requested-calls.ts";

/** The calls of a reply, and the message that makes them. */
export type ReplyCalls = { readonly calls: readonly ReadCall[]; readonly message: AssistantModelMessage | undefined };

/**
 * Gives every call an id that no other call of the conversation has: some models begin each reply with `call_0`, and
 * then nobody could tell whose nested calls are whose in the record.
 */
export function distinctCalls({ calls, message }: ReplyCalls, history: readonly ModelMessage[]): ReplyCalls {
  const used = new Set(history.flatMap(callIdsOf));
  const renamed = calls.map((call) => {
    const toolCallId = freeId(call.toolCallId, used);
    used.add(toolCallId);
    return toolCallId === call.toolCallId ? call : { ...call, toolCallId };
  });
  if (message === undefined || typeof message.content === "string" || renamed.every((call, at) => call === calls[at]))
    return { calls, message };
  // the parts of the message stand in the order of the calls
  const ids = renamed.map(({ toolCallId }) => toolCallId);
  const content = message.content.map((part) =>
    part.type === "tool-call" ? { ...part, toolCallId: ids.shift() ?? part.toolCallId } : part,
  );
  return { calls: renamed, message: { ...message, content } };
}

function callIdsOf(message: ModelMessage): string[] {
  if (message.role !== "assistant" || typeof message.content === "string") return [];
  return message.content.flatMap((part) => (part.type === "tool-call" ? [part.toolCallId] : []));
}

function freeId(id: string, used: ReadonlySet<string>): string {
  let free = id;
  for (let count = 2; used.has(free); count++) free = `${id}_${count}`;
  return free;
}
