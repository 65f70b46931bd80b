import type { DatabaseSync } from "node:sqlite";
import { CodeModeError } from "@code-mode/contract";

/** Marks the file as ours ("cmtr"): a database of another program is never migrated. */
const applicationId = 0x63_6d_74_72;

/**
 * The steps from an empty file to the newest version; one is never changed once released. `ledger` counts all rows:
 * pages of two different moments do not add up to it.
 */
const migrations: readonly string[] = [
  `CREATE TABLE sessions (
     key INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, agent_id TEXT NOT NULL,
     created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
     turns INTEGER NOT NULL, events INTEGER NOT NULL, messages INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE events (
     session INTEGER NOT NULL, seq INTEGER NOT NULL, at TEXT NOT NULL, type TEXT NOT NULL,
     json TEXT NOT NULL, crc INTEGER NOT NULL, PRIMARY KEY (session, seq)
   ) STRICT;
   CREATE TABLE messages (
     session INTEGER NOT NULL, n INTEGER NOT NULL, agent_run_id TEXT NOT NULL,
     json TEXT NOT NULL, crc INTEGER NOT NULL, PRIMARY KEY (session, n)
   ) STRICT;
   CREATE TABLE ledger (one INTEGER PRIMARY KEY CHECK (one = 1), events INTEGER NOT NULL, messages INTEGER NOT NULL) STRICT;
   INSERT INTO ledger VALUES (1, 0, 0);`,
];

/**
 * Brings a database to the newest version, each step in one transaction.
 * @param steps every step there is; for tests of an upgrade
 * @throws CodeModeError `runtime_unavailable` for a newer version or the file of another program
 */
export function migrate(database: DatabaseSync, file: string, steps: readonly string[] = migrations): void {
  const version = assertOurs(database, file, steps.length);
  for (const [index, step] of steps.entries()) {
    if (index < version) continue;
    database.exec("BEGIN IMMEDIATE");
    try {
      database.exec(`${step}; PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${index + 1}; COMMIT`);
    } catch (error) {
      database.exec("ROLLBACK");
      throw error;
    }
  }
}

/** The version of a database that this program can read; a reader needs the newest one. */
export function assertOurs(database: DatabaseSync, file: string, newest: number = migrations.length): number {
  const version = numberOf(database, "user_version");
  const tables = database.prepare("SELECT count(*) AS n FROM sqlite_schema").get() as { n: number };
  const empty = version === 0 && tables.n === 0;
  if (!empty && numberOf(database, "application_id") !== applicationId)
    throw refusal(`${file} is a database of another program. Set gateway.dataDir to a folder of its own.`);
  if (version > newest)
    throw refusal(
      `${file} has version ${version} and this program reads up to ${newest}. Update codemode, or set gateway.dataDir to another folder.`,
    );
  return version;
}

function numberOf(database: DatabaseSync, pragma: string): number {
  return Number(Object.values(database.prepare(`PRAGMA ${pragma}`).get() as object)[0]);
}

function refusal(message: string): CodeModeError {
  return new CodeModeError("runtime_unavailable", message);
}
