import { messageOf } from "@code-mode/contract";
import type { SessionEvent } from "./transcript-store.ts";

/** Hears of events that got durable. */
export type SessionListener = (sessionId: string, event: SessionEvent) => void;

/** Listeners of single sessions and of all; one that throws disturbs nobody. */
export class SessionListeners {
  readonly #all = new Set<SessionListener>();
  readonly #bySession = new Map<string, Set<SessionListener>>();
  readonly #log: (message: string) => void;

  constructor(log: (message: string) => void) {
    this.#log = log;
  }

  /** Adds a listener of one session, or of all, until the returned function is called. */
  add(sessionId: string | undefined, listener: SessionListener): () => void {
    // a wrapper of its own: the same function may listen twice and leave once
    const own: SessionListener = (id, event) => listener(id, event);
    const listeners = sessionId === undefined ? this.#all : (this.#bySession.get(sessionId) ?? new Set());
    if (sessionId !== undefined) this.#bySession.set(sessionId, listeners);
    listeners.add(own);
    return () => {
      listeners.delete(own);
      if (sessionId !== undefined && listeners.size === 0) this.#bySession.delete(sessionId);
    };
  }

  /** Tells everybody whom the event concerns. */
  tell(sessionId: string, event: SessionEvent): void {
    for (const listener of [...(this.#bySession.get(sessionId) ?? []), ...this.#all]) {
      try {
        listener(sessionId, event);
      } catch (error) {
        this.#log(`a listener of transcripts failed: ${messageOf(error)}`);
      }
    }
  }
}
