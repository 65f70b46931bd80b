import type { JsonValue } from "@code-mode/contract";
import type { ModelMessage } from "ai";

/** What happened, as a recorder writes it: redacted already, plain JSON, one `type` of the trajectory's schema (TRJ). */
export type EventFacts = { readonly type: string; readonly [key: string]: JsonValue };

/** One line of a session's trajectory. `seq` counts from 0 without gap in each session; `at` is an ISO time. */
export type SessionEvent = EventFacts & { readonly seq: number; readonly at: string };

/** A session as lists show it. */
export type SessionInfo = {
  readonly id: string;
  readonly agentId: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly turns: number;
  readonly events: number;
};

/** A message of the model's history, verbatim, with the agent run that made it. */
export type StoredMessage = { readonly agentRunId: string; readonly message: ModelMessage };

/**
 * Transcripts of all sessions. Writes are queued in order and get durable together; `flush` is the acknowledgement
 * (GW-7). Listeners hear of an event only once it is durable.
 */
export type TranscriptStore = AsyncDisposable & {
  /** Why nothing can be written any more (disk full, I/O error, damaged file); undefined while all is well. */
  readonly readOnly: string | undefined;
  /**
   * Creates the session if it is new.
   * @throws CodeModeError `runtime_unavailable` when the store is read-only
   */
  openSession(id: string, agentId: string): SessionInfo;
  session(id: string): SessionInfo | undefined;
  /** All sessions, last changed first. */
  sessions(): readonly SessionInfo[];
  /** Queues one event of a session that is open. */
  append(sessionId: string, facts: EventFacts): SessionEvent;
  /** Queues messages of the model's history. */
  appendMessages(sessionId: string, messages: readonly StoredMessage[]): void;
  /** Resolves when everything queued so far is on disk; rejects with `runtime_unavailable` when it cannot get there. */
  flush(): Promise<void>;
  /** Durable events with a `seq` above `after` (default all), in order. */
  events(sessionId: string, options?: { readonly after?: number; readonly limit?: number }): readonly SessionEvent[];
  messages(sessionId: string): readonly StoredMessage[];
  /** Removes a session with all its events and messages; false when there is none. */
  deleteSession(id: string): Promise<boolean>;
  /** Hears every event that got durable, of one session or (undefined) of all, until the returned function is called. */
  subscribe(sessionId: string | undefined, listener: (sessionId: string, event: SessionEvent) => void): () => void;
};
