import { messageOf } from "@code-mode/contract";
import type { ModelMessage } from "ai";
import { QueuedTranscripts, type TranscriptStoreOptions } from "./queued-transcripts.ts";
import type { EventRange, StoredSession, TranscriptBackend, TranscriptChange } from "./transcript-backend.ts";
import type { EventFacts, SessionEvent, StoredMessage, TranscriptStore } from "./transcript-store.ts";

/** Transcripts that end with the process, for demonstrations and tests; "durable" means "in this map" here. */
export function createMemoryTranscriptStore(options: TranscriptStoreOptions = {}): TranscriptStore {
  return new QueuedTranscripts(new MemoryBackend(), options);
}

/** Everything is kept as text: nobody outside can change what was stored. */
type Line = { readonly seq: number; readonly at: string; readonly type: string; readonly json: string };
type Held = { info: StoredSession; readonly lines: Line[]; readonly messages: { agentRunId: string; json: string }[] };

class MemoryBackend implements TranscriptBackend {
  readonly #held = new Map<string, Held>();

  sessions(): readonly StoredSession[] {
    return [...this.#held.values()].map(({ info }) => info);
  }

  commit(changes: readonly TranscriptChange[]): void {
    for (const change of changes) this.#apply(change);
  }

  events(sessionId: string, { after = -1, limit = Number.POSITIVE_INFINITY }: EventRange): readonly SessionEvent[] {
    const lines = this.#held.get(sessionId)?.lines ?? [];
    const first = Math.max(0, Math.floor(after) + 1);
    return lines
      .slice(first, first + limit)
      .map(({ seq, at, json }) => ({ seq, at, ...(JSON.parse(json) as EventFacts) }));
  }

  messages(sessionId: string): readonly StoredMessage[] {
    const messages = this.#held.get(sessionId)?.messages ?? [];
    return messages.map(({ agentRunId, json }) => ({ agentRunId, message: JSON.parse(json) as ModelMessage }));
  }

  explain(error: unknown): string {
    return messageOf(error);
  }

  close(): void {
    this.#held.clear();
  }

  #apply(change: TranscriptChange): void {
    if (change.kind === "open") {
      const { session } = change;
      this.#held.set(session.id, { info: { ...session, messages: 0 }, lines: [], messages: [] });
      return;
    }
    if (change.kind === "delete") {
      this.#held.delete(change.sessionId);
      return;
    }
    const held = this.#held.get(change.sessionId);
    if (held === undefined) return;
    const { info } = held;
    if (change.kind === "message") {
      held.messages.push({ agentRunId: change.agentRunId, json: change.json });
      held.info = { ...info, messages: info.messages + 1 };
      return;
    }
    const { seq, at, type } = change.event;
    held.lines.push({ seq, at, type, json: change.json });
    held.info = {
      ...info,
      updatedAt: at,
      events: info.events + 1,
      turns: info.turns + (type === "turn_started" ? 1 : 0),
    };
  }
}
