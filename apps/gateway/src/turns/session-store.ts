import type { ModelMessage } from "ai";

/** Something that happened in a session, with its time. */
export type SessionEvent = { readonly at: number; readonly [key: string]: unknown };

/** A conversation. */
export type Session = {
  readonly id: string;
  readonly messages: ModelMessage[];
  readonly events: SessionEvent[];
  busy: boolean;
};

/** Most events kept of one session; older ones are dropped, because all of this lives in memory. */
const maxEvents = 10_000;

/** All sessions of a gateway, in memory. */
export class SessionStore {
  readonly #sessions = new Map<string, Session>();

  /** The session with this id, created on first use. */
  open(id: string): Session {
    const found = this.#sessions.get(id);
    if (found !== undefined) return found;
    const session: Session = { id, messages: [], events: [], busy: false };
    this.#sessions.set(id, session);
    return session;
  }

  find(id: string): Session | undefined {
    return this.#sessions.get(id);
  }

  /** Adds an event to the trajectory of a session; one that is not open is none of ours. */
  record(sessionId: string, event: object): void {
    const events = this.#sessions.get(sessionId)?.events;
    if (events === undefined) return;
    events.push({ at: Date.now(), ...event });
    if (events.length > maxEvents) events.shift();
  }
}
