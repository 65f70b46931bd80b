import type { DatabaseSync } from "node:sqlite";
import { CodeModeError } from "@code-mode/contract";
import { damage } from "./sqlite-fault.ts";

/**
 * Proves that a database holds one moment of the past: its trees are whole, each session has exactly the events and
 * messages that it counts, without a gap, and all together are what the ledger says. Pages of a damaged log that were
 * mixed with newer ones of the database do not pass.
 * @throws CodeModeError `runtime_unavailable` naming the file and the way out
 */
export function verifyDatabase(database: DatabaseSync, file: string): void {
  const fault = treeFault(database) ?? countFault(database, "events", "seq") ?? countFault(database, "messages", "n");
  if (fault !== undefined) throw new CodeModeError("runtime_unavailable", damage(file, fault));
}

function treeFault(database: DatabaseSync): string | undefined {
  const { integrity_check: said } = database.prepare("PRAGMA integrity_check(1)").get() as { integrity_check: string };
  return said === "ok" ? undefined : said;
}

function countFault(database: DatabaseSync, table: "events" | "messages", number: string): string | undefined {
  const wrong = database
    .prepare(
      `SELECT s.id FROM sessions s LEFT JOIN (
         SELECT session, count(*) AS n, max(${number}) AS last FROM ${table} GROUP BY session
       ) t ON t.session = s.key
       WHERE coalesce(t.n, 0) != s.${table} OR coalesce(t.last, -1) != s.${table} - 1 LIMIT 1`,
    )
    .get() as { id: string } | undefined;
  if (wrong !== undefined) return `session ${JSON.stringify(wrong.id)} does not have the ${table} that it counts`;
  const { n } = database
    .prepare(`SELECT (SELECT count(*) FROM ${table}) - (SELECT ${table} FROM ledger) AS n`)
    .get() as { n: number | null };
  return n === 0 ? undefined : `the number of ${table} is not that of the ledger`;
}
