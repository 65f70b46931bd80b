import type { DatabaseSync, StatementSync } from "node:sqlite";
import { crc32 } from "node:zlib";
import { CodeModeError } from "@code-mode/contract";
import { damage, explainFault } from "./sqlite-fault.ts";
import { readEvents, readMessages, readSessions } from "./sqlite-rows.ts";
import type { EventRange, StoredSession, TranscriptBackend, TranscriptChange } from "./transcript-backend.ts";
import type { SessionEvent, StoredMessage } from "./transcript-store.ts";

/** The log is folded into the database beyond this size; until then a commit is one append. */
const maxLogBytes = 8 * 1024 * 1024;

type Tally = { key: number; events: number; messages: number; turns: number; updatedAt: string | undefined };
type RowOf<Kind extends TranscriptChange["kind"]> = Extract<TranscriptChange, { kind: Kind }>;

/** Transcripts in one SQLite database that this process alone writes. */
export class SqliteBackend implements TranscriptBackend {
  readonly #database: DatabaseSync;
  readonly #file: string;
  readonly #statements = new Map<string, StatementSync>();
  readonly #keys = new Map<string, number>();
  #logBytes = 0;

  constructor(database: DatabaseSync, file: string) {
    this.#database = database;
    this.#file = file;
  }

  sessions(): readonly StoredSession[] {
    return readSessions(this.#database).map(({ key, ...session }) => {
      this.#keys.set(session.id, key);
      return session;
    });
  }

  commit(changes: readonly TranscriptChange[]): void {
    const tallies = new Map<string, Tally>();
    this.#run("BEGIN IMMEDIATE");
    try {
      for (const change of changes) this.#write(change, tallies);
      for (const [id, tally] of tallies) this.#settle(id, tally);
      this.#run("COMMIT");
    } catch (error) {
      this.#rollBack();
      throw error;
    }
    if (this.#logBytes > maxLogBytes) this.#foldLog();
  }

  events(sessionId: string, range: EventRange): readonly SessionEvent[] {
    return readEvents(this.#database, sessionId, range, this.#file);
  }

  messages(sessionId: string): readonly StoredMessage[] {
    return readMessages(this.#database, sessionId, this.#file);
  }

  explain(error: unknown): string {
    return explainFault(error, this.#file);
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #write(change: TranscriptChange, tallies: Map<string, Tally>): void {
    switch (change.kind) {
      case "open":
        this.#open(change);
        break;
      case "event":
        this.#event(change, this.#tally(change.sessionId, tallies));
        break;
      case "message":
        this.#message(change, this.#tally(change.sessionId, tallies));
        break;
      case "delete":
        this.#delete(change, tallies);
        break;
    }
  }

  #open({ session }: RowOf<"open">): void {
    const { id, agentId, createdAt, updatedAt } = session;
    const sql =
      "INSERT INTO sessions (id, agent_id, created_at, updated_at, turns, events, messages) VALUES (?, ?, ?, ?, 0, 0, 0)";
    const { lastInsertRowid } = this.#run(sql, id, agentId, createdAt, updatedAt);
    this.#keys.set(id, Number(lastInsertRowid));
  }

  #event({ event, json }: RowOf<"event">, tally: Tally): void {
    const { seq, at, type } = event;
    this.#run("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)", tally.key, seq, at, type, json, crc32(json));
    this.#logBytes += json.length;
    tally.events += 1;
    tally.turns += type === "turn_started" ? 1 : 0;
    tally.updatedAt = at;
  }

  #message({ n, agentRunId, json }: RowOf<"message">, tally: Tally): void {
    this.#run("INSERT INTO messages VALUES (?, ?, ?, ?, ?)", tally.key, n, agentRunId, json, crc32(json));
    this.#logBytes += json.length;
    tally.messages += 1;
  }

  #delete({ sessionId }: RowOf<"delete">, tallies: Map<string, Tally>): void {
    const tally = this.#tally(sessionId, tallies);
    this.#settle(sessionId, tally);
    tallies.delete(sessionId);
    const events = this.#run("DELETE FROM events WHERE session = ?", tally.key).changes;
    const messages = this.#run("DELETE FROM messages WHERE session = ?", tally.key).changes;
    this.#run("DELETE FROM sessions WHERE key = ?", tally.key);
    this.#run("UPDATE ledger SET events = events - ?, messages = messages - ?", events, messages);
    this.#keys.delete(sessionId);
  }

  #settle(id: string, { key, events, messages, turns, updatedAt }: Tally): void {
    const sql =
      "UPDATE sessions SET events = events + ?, messages = messages + ?, turns = turns + ?, updated_at = coalesce(?, updated_at) WHERE key = ?";
    const { changes } = this.#run(sql, events, messages, turns, updatedAt ?? null, key);
    if (changes !== 1) throw new CodeModeError("runtime_unavailable", damage(this.#file, `session ${id} is missing`));
    this.#run("UPDATE ledger SET events = events + ?, messages = messages + ?", events, messages);
    this.#logBytes += 16_384;
  }

  #tally(sessionId: string, tallies: Map<string, Tally>): Tally {
    const found = tallies.get(sessionId);
    if (found !== undefined) return found;
    const key = this.#keys.get(sessionId);
    if (key === undefined)
      throw new CodeModeError("runtime_unavailable", damage(this.#file, `session ${sessionId} is missing`));
    const tally: Tally = { key, events: 0, messages: 0, turns: 0, updatedAt: undefined };
    tallies.set(sessionId, tally);
    return tally;
  }

  /** A failed commit has been undone by SQLite itself at times; then there is nothing to roll back. */
  #rollBack(): void {
    if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
  }

  /** A reader of the moment keeps the log from being emptied; the next commit tries again. */
  #foldLog(): void {
    const { busy } = this.#database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get() as { busy: number };
    if (busy === 0) this.#logBytes = 0;
  }

  #run(
    sql: string,
    ...values: (string | number | bigint | null)[]
  ): { changes: number | bigint; lastInsertRowid: number | bigint } {
    const known = this.#statements.get(sql);
    const statement = known ?? this.#database.prepare(sql);
    if (known === undefined) this.#statements.set(sql, statement);
    return statement.run(...values);
  }
}
