import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { CodeModeError } from "@code-mode/contract";
import { createPrivateFile, lockFolder } from "./folder-lock.ts";
import { openDatabase } from "./open-database.ts";
import { QueuedTranscripts, type TranscriptStoreOptions } from "./queued-transcripts.ts";
import { SqliteBackend } from "./sqlite-backend.ts";
import { explainFault } from "./sqlite-fault.ts";
import { assertOurs, migrate } from "./sqlite-schema.ts";
import type { TranscriptBackend } from "./transcript-backend.ts";
import type { TranscriptStore } from "./transcript-store.ts";
import { verifyDatabase } from "./verify-database.ts";

/** Options of `openTranscriptStore`. */
export type OpenTranscriptStoreOptions = TranscriptStoreOptions & {
  readonly dataDir: string;
  /** Stands between the store and its database; tests make disks fail with it. */
  wrapDatabase?(database: DatabaseSync): DatabaseSync;
};

const logHeaderBytes = 32;
const frameHeaderBytes = 24;

/** Name of the database in the data folder. */
export const transcriptFileName = "codemode.sqlite";

/**
 * Opens the transcripts of a data folder for this process alone (GW-7). Acknowledged means: in the write-ahead log and
 * synced. After a crash the database is verified as a whole before anything is served.
 * @throws CodeModeError `runtime_unavailable` while another process uses the folder, and for a file that is damaged,
 * newer than this program or not writable; the message names the way out
 */
export function openTranscriptStore(options: OpenTranscriptStoreOptions): TranscriptStore {
  const file = join(options.dataDir, transcriptFileName);
  return explained(file, () => {
    const lock = lockFolder(options.dataDir);
    try {
      const backend = openBackend(file, options);
      return new QueuedTranscripts(withLock(backend, lock), options);
    } catch (error) {
      lock[Symbol.dispose]();
      throw error;
    }
  });
}

function openBackend(file: string, options: OpenTranscriptStoreOptions): SqliteBackend {
  const { log = () => undefined, wrapDatabase = (database) => database } = options;
  const logBytes = existsSync(`${file}-wal`) ? statSync(`${file}-wal`).size : 0;
  if (logBytes > 0) verifyCrashed(file);
  const database = openDatabase(createPrivateFile(file));
  try {
    database.exec(
      "PRAGMA busy_timeout = 2000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0",
    );
    migrate(database, file);
    foldLeftLog(database, logBytes, (lost) =>
      log(`${file}-wal: its last ${lost} bytes are no complete write and were left out (a crash, or damage).`),
    );
    return new SqliteBackend(wrapDatabase(database), file);
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Looks without writing: closing a connection that may write would fold a damaged log into the database. */
function verifyCrashed(file: string): void {
  const database = openDatabase(file, { readOnly: true });
  try {
    if (assertOurs(database, file) > 0) verifyDatabase(database, file);
  } finally {
    database.close();
  }
}

/** Starts with an empty log: what damages a log later finds none whose pages are in the database already. */
function foldLeftLog(database: DatabaseSync, logBytes: number, onLost: (bytes: number) => void): void {
  const { log: frames } = database.prepare("PRAGMA wal_checkpoint(PASSIVE)").get() as { log: number };
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  const { page_size: pageBytes } = database.prepare("PRAGMA page_size").get() as { page_size: number };
  const used = frames <= 0 ? 0 : logHeaderBytes + frames * (frameHeaderBytes + pageBytes);
  if (logBytes > used && logBytes > logHeaderBytes) onLost(logBytes - used);
}

function withLock(backend: SqliteBackend, lock: Disposable): TranscriptBackend {
  return {
    sessions: () => backend.sessions(),
    commit: (changes) => backend.commit(changes),
    events: (sessionId, range) => backend.events(sessionId, range),
    messages: (sessionId) => backend.messages(sessionId),
    explain: (error) => backend.explain(error),
    close() {
      try {
        backend.close();
      } finally {
        lock[Symbol.dispose]();
      }
    },
  };
}

/** Runs the work of opening; whatever goes wrong names the file and the way out. */
export function explained<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (CodeModeError.is(error)) throw error;
    throw new CodeModeError("runtime_unavailable", `transcripts cannot be opened: ${explainFault(error, file)}`, {
      cause: error,
    });
  }
}
