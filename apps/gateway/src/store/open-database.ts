import type { DatabaseSync, DatabaseSyncOptions } from "node:sqlite";

/** Opens a SQLite database. The module is loaded on first use: commands without transcripts never touch it. */
export function openDatabase(file: string, options: DatabaseSyncOptions = {}): DatabaseSync {
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
  return new DatabaseSync(file, options);
}
