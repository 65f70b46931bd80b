import { createHash, randomUUID } from "node:crypto";
import type { ChatCompletionMessage } from "./parse-chat-request.ts";
import { textOf } from "./read-conversation.ts";

/** Conversations that are remembered at most; the oldest is forgotten and begins anew from its own messages. */
const maxConversations = 10_000;

/** Who holds a conversation. */
export type Conversant = { readonly agentId: string; readonly user: string };

/** Finds the session of a client that sends its whole conversation each time and names no session (GW-2). */
export class ConversationSessions {
  readonly #sessions = new Map<string, string>();

  /**
   * The session that this conversation belongs to, or a new id. A conversation can be continued once: a second client
   * with the same words, or a branch of it, gets a session of its own.
   */
  take(before: readonly ChatCompletionMessage[], who: Conversant): { readonly sessionId: string; giveBack(): void } {
    const key = keyOf(before, who);
    const found = before.length === 0 ? undefined : this.#sessions.get(key);
    this.#sessions.delete(key);
    return {
      sessionId: found ?? `chat-${randomUUID()}`,
      giveBack: () => {
        if (found !== undefined) this.#keep(key, found);
      },
    };
  }

  /** Remembers that a session has come to this conversation. */
  remember(conversation: readonly ChatCompletionMessage[], who: Conversant, sessionId: string): void {
    this.#keep(keyOf(conversation, who), sessionId);
  }

  #keep(key: string, sessionId: string): void {
    this.#sessions.set(key, sessionId);
    const oldest = this.#sessions.keys().next().value;
    if (this.#sessions.size > maxConversations && oldest !== undefined) this.#sessions.delete(oldest);
  }
}

function keyOf(messages: readonly ChatCompletionMessage[], { agentId, user }: Conversant): string {
  const spoken = messages
    .filter(({ role }) => role !== "system" && role !== "developer")
    .map((message) => [
      message.role,
      textOf(message),
      (message.tool_calls ?? []).map(({ id }) => id),
      message.tool_call_id ?? "",
    ]);
  return createHash("sha256")
    .update(JSON.stringify([agentId, user, spoken]))
    .digest("base64");
}
