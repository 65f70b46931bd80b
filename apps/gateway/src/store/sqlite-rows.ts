import type { DatabaseSync } from "node:sqlite";
import { crc32 } from "node:zlib";
import { CodeModeError } from "@code-mode/contract";
import type { ModelMessage } from "ai";
import { damage } from "./sqlite-fault.ts";
import type { EventRange, StoredSession } from "./transcript-backend.ts";
import type { EventFacts, SessionEvent, StoredMessage } from "./transcript-store.ts";

/** All sessions with their keys, in order of creation. */
export function readSessions(database: DatabaseSync): readonly (StoredSession & { readonly key: number })[] {
  const sql =
    "SELECT key, id, agent_id AS agentId, created_at AS createdAt, updated_at AS updatedAt, turns, events, messages FROM sessions ORDER BY key";
  return database
    .prepare(sql)
    .all()
    .map((row) => ({ ...row })) as (StoredSession & { key: number })[];
}

/**
 * Events of a session; every row is checked against its sum.
 * @throws CodeModeError `runtime_unavailable` for a row that is not what was written
 */
export function readEvents(
  database: DatabaseSync,
  sessionId: string,
  { after = -1, limit = -1 }: EventRange,
  file: string,
): readonly SessionEvent[] {
  const sql =
    "SELECT seq, at, e.json, e.crc FROM events e JOIN sessions s ON s.key = e.session WHERE s.id = ? AND seq > ? ORDER BY seq LIMIT ?";
  const rows = database.prepare(sql).all(sessionId, after, limit) as (Row & { seq: number; at: string })[];
  return rows.map((row) => ({ seq: row.seq, at: row.at, ...parseRow<EventFacts>(row, `event ${row.seq}`, file) }));
}

/**
 * Messages of a session; every row is checked against its sum.
 * @throws CodeModeError `runtime_unavailable` for a row that is not what was written
 */
export function readMessages(database: DatabaseSync, sessionId: string, file: string): readonly StoredMessage[] {
  const sql =
    "SELECT n, agent_run_id AS agentRunId, m.json, m.crc FROM messages m JOIN sessions s ON s.key = m.session WHERE s.id = ? ORDER BY n";
  const rows = database.prepare(sql).all(sessionId) as (Row & { n: number; agentRunId: string })[];
  return rows.map((row) => ({
    agentRunId: row.agentRunId,
    message: parseRow<ModelMessage>(row, `message ${row.n}`, file),
  }));
}

type Row = { json: string; crc: number };

function parseRow<T>({ json, crc }: Row, what: string, file: string): T {
  if (crc32(json) === crc) return JSON.parse(json) as T;
  throw new CodeModeError("runtime_unavailable", damage(file, `${what} is not what was written`));
}
