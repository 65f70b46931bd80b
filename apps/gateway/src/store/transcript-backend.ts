import type { SessionEvent, SessionInfo, StoredMessage } from "./transcript-store.ts";

/** One write, in the order of the calls that made it; `json` is what the event or message is without its columns. */
export type TranscriptChange =
  | { readonly kind: "open"; readonly session: SessionInfo }
  | { readonly kind: "event"; readonly sessionId: string; readonly event: SessionEvent; readonly json: string }
  | {
      readonly kind: "message";
      readonly sessionId: string;
      readonly n: number;
      readonly agentRunId: string;
      readonly json: string;
    }
  | { readonly kind: "delete"; readonly sessionId: string };

/** A session as a backend knows it, with how many messages it has. */
export type StoredSession = SessionInfo & { readonly messages: number };

/** Which events to read. */
export type EventRange = { readonly after?: number | undefined; readonly limit?: number | undefined };

/** Where transcripts rest. All methods are synchronous; `commit` is all or nothing and on disk when it returns. */
export type TranscriptBackend = {
  sessions(): readonly StoredSession[];
  commit(changes: readonly TranscriptChange[]): void;
  events(sessionId: string, range: EventRange): readonly SessionEvent[];
  messages(sessionId: string): readonly StoredMessage[];
  /** Why a thrown error happened and what to do about it, for people. */
  explain(error: unknown): string;
  close(): void;
};
