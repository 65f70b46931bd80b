import { CodeModeError, messageOf } from "@code-mode/contract";
import { SessionListeners } from "./session-listeners.ts";
import type { EventRange, StoredSession, TranscriptBackend, TranscriptChange } from "./transcript-backend.ts";
import type { EventFacts, SessionEvent, SessionInfo, StoredMessage, TranscriptStore } from "./transcript-store.ts";

/** Options of every transcript store. */
export type TranscriptStoreOptions = {
  /** Receives what goes wrong, as one line. */
  log?(message: string): void;
};

/** Longest an event that nobody waits for stays in memory: one disk write serves all that come meanwhile. */
const commitDelayMs = 10;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type State = Mutable<StoredSession>;

/** The store over a backend: queues writes, commits them together and tells listeners afterwards. */
export class QueuedTranscripts implements TranscriptStore {
  readonly #backend: TranscriptBackend;
  readonly #log: (message: string) => void;
  readonly #listeners: SessionListeners;
  #sessions: Map<string, State>;
  #queue: TranscriptChange[] = [];
  #waiting: PromiseWithResolvers<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #immediate: NodeJS.Immediate | undefined;
  #readOnly: string | undefined;
  #closed = false;

  constructor(backend: TranscriptBackend, { log = () => undefined }: TranscriptStoreOptions = {}) {
    this.#backend = backend;
    this.#log = log;
    this.#listeners = new SessionListeners(log);
    this.#sessions = loadSessions(backend);
  }

  get readOnly(): string | undefined {
    return this.#readOnly;
  }

  openSession(id: string, agentId: string): SessionInfo {
    this.#assertWritable();
    const found = this.#sessions.get(id);
    if (found !== undefined) return infoOf(found);
    const now = new Date().toISOString();
    const state: State = { id, agentId, createdAt: now, updatedAt: now, turns: 0, events: 0, messages: 0 };
    this.#sessions.set(id, state);
    this.#push({ kind: "open", session: infoOf(state) });
    return infoOf(state);
  }

  session(id: string): SessionInfo | undefined {
    const state = this.#sessions.get(id);
    return state && infoOf(state);
  }

  sessions(): readonly SessionInfo[] {
    return [...this.#sessions.values()].map(infoOf).sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
  }

  append(sessionId: string, { seq: _seq, at: given, ...facts }: EventFacts): SessionEvent {
    const state = this.#stateOf(sessionId);
    const json = JSON.stringify(facts);
    const at = typeof given === "string" ? given : new Date().toISOString();
    const event = { seq: state.events, at, ...facts } as SessionEvent;
    state.events += 1;
    state.updatedAt = at;
    if (event.type === "turn_started") state.turns += 1;
    this.#push({ kind: "event", sessionId, event, json });
    return event;
  }

  appendMessages(sessionId: string, messages: readonly StoredMessage[]): void {
    const state = this.#stateOf(sessionId);
    const texts = messages.map(({ message }) => JSON.stringify(message));
    for (const [index, { agentRunId }] of messages.entries()) {
      this.#push({ kind: "message", sessionId, n: state.messages, agentRunId, json: texts[index] as string });
      state.messages += 1;
    }
  }

  async flush(): Promise<void> {
    this.#assertWritable();
    if (this.#queue.length === 0) return;
    this.#waiting ??= Promise.withResolvers<void>();
    this.#immediate ??= setImmediate(() => this.#commit());
    return this.#waiting.promise;
  }

  events(sessionId: string, range: EventRange = {}): readonly SessionEvent[] {
    return this.#read(() => this.#backend.events(sessionId, range));
  }

  messages(sessionId: string): readonly StoredMessage[] {
    return this.#read(() => this.#backend.messages(sessionId));
  }

  async deleteSession(id: string): Promise<boolean> {
    if (!this.#sessions.has(id)) return false;
    this.#assertWritable();
    this.#sessions.delete(id);
    this.#push({ kind: "delete", sessionId: id });
    await this.flush();
    return true;
  }

  subscribe(sessionId: string | undefined, listener: (sessionId: string, event: SessionEvent) => void): () => void {
    return this.#listeners.add(sessionId, listener);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closed) return;
    this.#commit();
    this.#closed = true;
    this.#readOnly ??= "the store is closed.";
    try {
      this.#backend.close();
    } catch (error) {
      this.#log(`transcripts could not be closed: ${this.#backend.explain(error)}`);
    }
  }

  #stateOf(sessionId: string): State {
    this.#assertWritable();
    const state = this.#sessions.get(sessionId);
    if (state !== undefined) return state;
    throw new CodeModeError("internal_error", `session ${sessionId} is not open; openSession comes first.`);
  }

  #assertWritable(): void {
    if (this.#readOnly !== undefined) throw unavailable(this.#readOnly);
  }

  #push(change: TranscriptChange): void {
    this.#queue.push(change);
    this.#timer ??= setTimeout(() => this.#commit(), commitDelayMs);
  }

  #commit(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#immediate);
    const { queue, waiting } = { queue: this.#queue, waiting: this.#waiting };
    this.#queue = [];
    this.#timer = this.#immediate = this.#waiting = undefined;
    if (queue.length === 0 || this.#closed) return;
    try {
      this.#backend.commit(queue);
    } catch (error) {
      const failure = this.#fail(error);
      if (waiting === undefined) return;
      waiting.reject(failure);
      return;
    }
    for (const change of queue) if (change.kind === "event") this.#listeners.tell(change.sessionId, change.event);
    waiting?.resolve();
  }

  /** From here on nothing is written; what is on disk can still be read. */
  #fail(error: unknown): CodeModeError {
    if (this.#readOnly === undefined) {
      this.#readOnly = this.#backend.explain(error);
      this.#log(`transcripts are read-only: ${this.#readOnly}`);
      this.#queue = [];
      // sessions and counts that never got to disk are not there
      try {
        this.#sessions = loadSessions(this.#backend);
      } catch (again) {
        this.#log(`sessions cannot be read again: ${messageOf(again)}`);
      }
    }
    return unavailable(this.#readOnly, error);
  }

  #read<T>(read: () => T): T {
    if (this.#closed) throw unavailable("the store is closed.");
    try {
      return read();
    } catch (error) {
      throw this.#fail(error);
    }
  }
}

function loadSessions(backend: TranscriptBackend): Map<string, State> {
  return new Map(backend.sessions().map((session) => [session.id, { ...session }]));
}

function infoOf({ messages: _messages, ...info }: State): SessionInfo {
  return info;
}

function unavailable(reason: string, cause?: unknown): CodeModeError {
  return new CodeModeError("runtime_unavailable", `transcripts cannot be written: ${reason}`, { cause });
}
