import type { CallRecord, CallRecorder, CellEvent, CellObserver, JsonObject, RunScope } from "@code-mode/contract";
import { CellFacts, type RedactOptions, Redactor, type TurnObserver } from "@code-mode/telemetry";
import type { EventFacts, SessionEvent, SessionInfo, StoredMessage, TranscriptStore } from "./transcript-store.ts";

/** Anything with a type that is no event of a cell: turn events, approvals, messages to people. */
export type RecordedEvent = { readonly type: string; readonly [key: string]: unknown };

/** Options of `SessionLog`. */
export type SessionLogOptions = RedactOptions & {
  /** Hears what is recorded when it happens, before it is durable and as it was; for spans and metrics. */
  readonly observer?: TurnObserver;
};

/** Texts that models see are kept whole up to here; what they saw must be readable later. */
const maxTextLength = 1024 * 1024;

/** Cells that were suspended and dropped never tell; the oldest are forgotten beyond this number. */
const maxKnownCells = 10_000;

type Pending = { readonly sessionId: string; readonly at: number; readonly facts: () => EventFacts };

/**
 * Writes what happens in sessions into a transcript store, redacted (TRJ). What cells do is only noted when it happens:
 * redaction and JSON are made for many events at once, off the path of the call.
 */
export class SessionLog implements AsyncDisposable {
  readonly store: TranscriptStore;
  readonly #observer: TurnObserver | undefined;
  readonly #redactor: Redactor;
  readonly #cellFacts: CellFacts;
  readonly #sessionOf = new Map<string, string>();
  #pending: Pending[] = [];
  #drain: NodeJS.Immediate | undefined;

  /** @param options secrets of the configuration, which no trajectory may hold; who else is told */
  constructor(store: TranscriptStore, { observer, ...redaction }: SessionLogOptions = {}) {
    this.store = store;
    this.#observer = observer;
    this.#redactor = new Redactor({ maxTextLength, ...redaction });
    this.#cellFacts = new CellFacts(redaction);
  }

  /** Why nothing can be recorded any more; undefined while all is well. */
  get readOnly(): string | undefined {
    return this.store.readOnly;
  }

  /**
   * The session with this id, created on first use.
   * @throws CodeModeError `runtime_unavailable` when the store is read-only
   */
  open(sessionId: string, agentId: string): SessionInfo {
    return this.store.openSession(sessionId, agentId);
  }

  /** The session with this id, if there is one. */
  find(sessionId: string): SessionInfo | undefined {
    return this.store.session(sessionId);
  }

  /**
   * Records what happened outside of cells; durable after `flush`. Gives the event as it is stored, with its number.
   * @throws CodeModeError `runtime_unavailable` when the store is read-only
   */
  record(sessionId: string, event: RecordedEvent): SessionEvent {
    this.#record();
    const recorded = this.store.append(sessionId, this.#redacted(event));
    this.#observer?.onTurnEvent(sessionId, event);
    return recorded;
  }

  /** Sends the events of each cell to the trajectory of its session, which a client without turns (MCP) gets with its first program. */
  get observer(): CellObserver {
    return { onCellEvent: (event) => this.#onCellEvent(event) };
  }

  /** Sends the record of each finished call to its session. */
  get recorder(): CallRecorder {
    return { record: (record) => this.#onRecord(record) };
  }

  /** Durable events of a session with a `seq` above `after`. */
  events(sessionId: string, range?: { readonly after?: number; readonly limit?: number }): readonly SessionEvent[] {
    return this.store.events(sessionId, range);
  }

  messages(sessionId: string): readonly StoredMessage[] {
    return this.store.messages(sessionId);
  }

  /** Adds to the model's history, verbatim; durable after `flush`. */
  appendMessages(sessionId: string, messages: readonly StoredMessage[]): void {
    this.#record();
    this.store.appendMessages(sessionId, messages);
  }

  /** Hears every durable event of one session, or of all, until the returned function is called. */
  subscribe(sessionId: string | undefined, listener: (sessionId: string, event: SessionEvent) => void): () => void {
    return this.store.subscribe(sessionId, listener);
  }

  /** Resolves when everything recorded so far is on disk; rejects with `runtime_unavailable` when it cannot get there. */
  async flush(): Promise<void> {
    this.#record();
    await this.store.flush();
  }

  /** Writes what is left and closes the store. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#record();
    await this.store[Symbol.asyncDispose]();
  }

  #onCellEvent(event: CellEvent): void {
    if ("scope" in event) this.#learn(event.cellId, event.scope);
    const sessionId = this.#sessionOf.get(event.cellId);
    if (event.type === "cell_result" && event.result.status !== "waiting") this.#sessionOf.delete(event.cellId);
    if (sessionId !== undefined) this.#note(sessionId, () => this.#cellFacts.ofEvent(event) as EventFacts);
  }

  #onRecord(record: CallRecord): void {
    this.#note(record.call.scope.sessionId, () => this.#cellFacts.ofRecord(record) as EventFacts);
  }

  #learn(cellId: string, { sessionId, agentId }: RunScope): void {
    this.#sessionOf.set(cellId, sessionId);
    if (this.readOnly === undefined) this.open(sessionId, agentId);
    if (this.#sessionOf.size <= maxKnownCells) return;
    const oldest = this.#sessionOf.keys().next();
    if (oldest.done !== true) this.#sessionOf.delete(oldest.value);
  }

  #note(sessionId: string, facts: () => EventFacts): void {
    this.#pending.push({ sessionId, at: Date.now(), facts });
    this.#drain ??= setImmediate(() => this.#record());
  }

  /** Hands what was noted to the store, in order. Observers must not throw, so a store that is read-only stays silent. */
  #record(): void {
    const { length } = this.#pending;
    if (length === 0) return;
    clearImmediate(this.#drain);
    this.#drain = undefined;
    const pending = this.#pending;
    this.#pending = [];
    for (const { sessionId, at, facts } of pending) {
      if (this.store.readOnly !== undefined || this.store.session(sessionId) === undefined) continue;
      this.store.append(sessionId, { at: new Date(at).toISOString(), ...facts() });
    }
  }

  /** The program that a model sent is the source of truth of what ran: it stays as it is but for registered secrets. */
  #redacted(event: RecordedEvent): EventFacts {
    const facts = this.#redactor.value(event) as EventFacts;
    const { name, input } = event;
    if (event.type !== "tool_call" || name !== "exec" || !isObject(input)) return facts;
    const sources = ["code", "command"]
      .filter((key) => typeof input[key] === "string")
      .map((key) => [key, this.#redactor.source(input[key] as string)] as const);
    return { ...facts, input: { ...(facts.input as JsonObject), ...Object.fromEntries(sources) } };
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
