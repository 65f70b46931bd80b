// Writes the scenario into a store and reports every acknowledged record on stdout. With CRASH_AT=<n> it kills itself
// at the n-th of its points: before each statement that writes and after each commit, before that is acknowledged.
// `node --conditions=@code-mode/source tools/crash/crash-child.ts <data folder> <records>`.
import { writeSync } from "node:fs";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { openTranscriptStore } from "../../apps/gateway/src/store/open-transcript-store.ts";
import { buildScenario, type CrashRecord } from "./scenario.ts";

const [dataDir = "", count = "200"] = process.argv.slice(2);
const crashAt = Number(process.env.CRASH_AT ?? 0);
let points = 0;

function point(): void {
  points += 1;
  if (points === crashAt) process.kill(process.pid, "SIGKILL");
}

/** The database with a point before every statement and after every commit. */
function withPoints(database: DatabaseSync): DatabaseSync {
  const prepare = (sql: string): StatementSync => {
    const statement = database.prepare(sql);
    if (/^(SELECT|PRAGMA)/i.test(sql)) return statement;
    const run = (...values: Parameters<StatementSync["run"]>) => {
      point();
      const changes = statement.run(...values);
      if (sql === "COMMIT") point();
      return changes;
    };
    return new Proxy(statement, {
      get: (target, key) => (key === "run" ? run : Reflect.get(target, key, target)),
    });
  };
  return new Proxy(database, {
    get(target, key) {
      if (key === "prepare") return prepare;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

const store = openTranscriptStore({ dataDir, wrapDatabase: withPoints });

function write({ sessionId, kind, text, index }: CrashRecord): void {
  store.openSession(sessionId, "main");
  if (kind === "event") store.append(sessionId, { type: "text", index, text });
  else store.appendMessages(sessionId, [{ agentRunId: `run-${index}`, message: { role: "user", content: text } }]);
}

for (const { records } of buildScenario(Number(count))) {
  for (const record of records) write(record);
  await store.flush();
  writeSync(1, `ack ${records.at(-1)?.index}\n`);
}
writeSync(1, `points ${points}\n`);
// the log stays as it is: closing would fold it into the database
process.kill(process.pid, "SIGKILL");
