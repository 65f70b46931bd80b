import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { CodeModeError } from "@code-mode/contract";
import { expect, it } from "vitest";
import { openDatabase } from "../../src/store/open-database.ts";
import { openTranscriptStore } from "../../src/store/open-transcript-store.ts";
import { readTranscripts } from "../../src/store/read-transcripts.ts";
import { migrate } from "../../src/store/sqlite-schema.ts";
import type { TranscriptStore } from "../../src/store/transcript-store.ts";
import { TemporaryFolder } from "../temporary-folder.ts";

const childFile = join(import.meta.dirname, "store-child.ts");
const conditions = "--conditions=@code-mode/source";

function failureOf(work: () => unknown): { readonly code: string; readonly message: string } {
  try {
    work();
  } catch (error) {
    if (CodeModeError.is(error)) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error("nothing was refused");
}

async function fill(store: TranscriptStore, count: number, text = "x"): Promise<void> {
  store.openSession("a", "main");
  for (let n = 0; n < count; n++) {
    store.append("a", { type: "text", n, text });
    await store.flush();
  }
}

/** An error as node:sqlite throws it. */
function sqliteError(errcode: number, message: string): Error {
  return Object.assign(new Error(message), { code: "ERR_SQLITE_ERROR", errcode });
}

/** A copy of an object whose method `name` is another; the rest is the object's own. */
function withMethod<T extends object>(target: T, name: keyof T, method: unknown): T {
  return new Proxy(target, {
    get(_target, key) {
      const value: unknown = key === name ? method : Reflect.get(target, key, target);
      return typeof value === "function" && key !== name ? value.bind(target) : value;
    },
  });
}

/** A database whose statements fail from the moment that `fails` says so. */
function failingDatabase(database: DatabaseSync, fails: (sql: string) => Error | undefined): DatabaseSync {
  return withMethod(database, "prepare", (sql: string): StatementSync => {
    const statement = database.prepare(sql);
    return withMethod(statement, "run", (...values: Parameters<StatementSync["run"]>) => {
      const error = fails(sql);
      if (error !== undefined) throw error;
      return statement.run(...values);
    });
  });
}

it("two gateways on one data folder: the second is refused by the process id of the first, and comes in after it", async () => {
  using folder = new TemporaryFolder();
  const first = openTranscriptStore({ dataDir: folder.path });
  const { code, message } = failureOf(() => openTranscriptStore({ dataDir: folder.path }));
  expect([code, message]).toEqual([
    "runtime_unavailable",
    `another gateway (process ${process.pid}) uses ${folder.path}. Stop it, or set gateway.dataDir to another folder.`,
  ]);
  await fill(first, 1);
  await first[Symbol.asyncDispose]();
  await using second = openTranscriptStore({ dataDir: folder.path });
  expect(second.events("a")).toHaveLength(1);
});

it("GW-7 a killed process leaves no lock behind, whatever process has its id now", async () => {
  using folder = new TemporaryFolder();
  const child = spawn(process.execPath, [conditions, childFile, folder.path], { stdio: ["pipe", "pipe", "inherit"] });
  const [line] = (await once(child.stdout.setEncoding("utf8"), "data")) as [string];
  expect(line).toBe("acknowledged 1\n");
  expect(failureOf(() => openTranscriptStore({ dataDir: folder.path })).message).toContain(`process ${child.pid}`);
  child.kill("SIGKILL");
  await once(child, "exit");
  writeFileSync(join(folder.path, "codemode.pid"), `${process.pid}\n`);
  await using store = openTranscriptStore({ dataDir: folder.path });
  expect(store.events("a")).toHaveLength(1);
});

it("only this user may read the transcripts, also when they were readable before", async () => {
  using folder = new TemporaryFolder();
  const dataDir = join(folder.path, "made");
  const modes = () =>
    [dataDir, join(dataDir, "codemode.sqlite"), join(dataDir, "codemode.sqlite-wal")].map(
      (file) => statSync(file).mode & 0o777,
    );
  const store = openTranscriptStore({ dataDir });
  await fill(store, 1);
  expect(modes()).toEqual([0o700, 0o600, 0o600]);
  await store[Symbol.asyncDispose]();
  chmodSync(join(dataDir, "codemode.sqlite"), 0o644);
  await using again = openTranscriptStore({ dataDir });
  await fill(again, 1);
  expect(modes()).toEqual([0o700, 0o600, 0o600]);
});

it("transcripts of a newer version are refused and stay as they are; those of another program too", async () => {
  using folder = new TemporaryFolder();
  const file = join(folder.path, "codemode.sqlite");
  await openTranscriptStore({ dataDir: folder.path })[Symbol.asyncDispose]();
  const newer = openDatabase(file);
  newer.exec("PRAGMA user_version = 99");
  newer.close();
  expect(failureOf(() => openTranscriptStore({ dataDir: folder.path }))).toEqual({
    code: "runtime_unavailable",
    message: `${file} has version 99 and this program reads up to 1. Update codemode, or set gateway.dataDir to another folder.`,
  });
  using other = new TemporaryFolder();
  const foreign = openDatabase(join(other.path, "codemode.sqlite"));
  foreign.exec("CREATE TABLE notes (text TEXT)");
  foreign.close();
  expect(failureOf(() => openTranscriptStore({ dataDir: other.path })).message).toContain("of another program");
  await openTranscriptStore({ dataDir: join(other.path, "new") })[Symbol.asyncDispose]();
});

it("an older database is brought to the newest version step by step, and a step that fails changes nothing", () => {
  using folder = new TemporaryFolder();
  const file = join(folder.path, "x.sqlite");
  const database = openDatabase(file);
  const columns = () => database.prepare("SELECT name FROM pragma_table_info('t') ORDER BY name").all();
  const version = () => database.prepare("PRAGMA user_version").get()?.user_version;
  const steps = ["CREATE TABLE t (a)", "ALTER TABLE t ADD COLUMN b", "ALTER TABLE t ADD COLUMN c"];
  migrate(database, file, steps.slice(0, 1));
  database.exec("INSERT INTO t VALUES (1)");
  expect(() => migrate(database, file, [...steps.slice(0, 2), "ALTER TABLE t ADD COLUMN a"])).toThrow(/duplicate/);
  expect(version()).toBe(2);
  migrate(database, file, steps);
  migrate(database, file, steps);
  expect([version(), columns().map(({ name }) => name), database.prepare("SELECT * FROM t").all()]).toEqual([
    3,
    ["a", "b", "c"],
    [expect.objectContaining({ a: 1, b: null, c: null })],
  ]);
  database.close();
});

it("a file that is no database is refused by its name with the way out", () => {
  using folder = new TemporaryFolder();
  const file = folder.write(
    "codemode.sqlite",
    "this is no database at all, but long enough to be read as one".repeat(20),
  );
  const { code, message } = failureOf(() => openTranscriptStore({ dataDir: folder.path }));
  expect(code).toBe("runtime_unavailable");
  expect(message).toMatch(/is damaged .*Restore a copy of it, or move it and its -wal file away/);
  expect(message).toContain(file);
});

it("GW-7 a record that is not what was written is not read: the store names the file and turns read-only", async () => {
  using folder = new TemporaryFolder();
  const file = join(folder.path, "codemode.sqlite");
  const first = openTranscriptStore({ dataDir: folder.path });
  await fill(first, 3, "a text that can be found in the file");
  await first[Symbol.asyncDispose]();
  const bytes = readFileSync(file);
  const at = bytes.indexOf("that can be found");
  bytes.write("THAT", at);
  writeFileSync(file, bytes);
  await using store = openTranscriptStore({ dataDir: folder.path });
  expect(failureOf(() => store.events("a")).message).toMatch(/codemode\.sqlite is damaged \(event \d is not what was/);
  expect(store.readOnly).toContain("is damaged");
});

it("GW-7 pages of two moments are refused: a log that lost its end after its pages were in the database", async () => {
  using folder = new TemporaryFolder();
  const file = join(folder.path, "codemode.sqlite");
  const database = openDatabase(file);
  database.exec("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0");
  migrate(database, file);
  const insert = (session: number, seq: number) =>
    database.exec(
      `BEGIN; INSERT INTO events VALUES (${session}, ${seq}, '', 'text', '{"type":"text"}', 0);
       UPDATE sessions SET events = ${seq + 1} WHERE key = ${session}; UPDATE ledger SET events = events + 1; COMMIT`,
    );
  database.exec("INSERT INTO sessions VALUES (1, 'a', 'main', '', '', 0, 0, 0), (2, 'b', 'main', '', '', 0, 0, 0)");
  for (let seq = 0; seq < 200; seq++) insert(1, seq);
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  for (let seq = 0; seq < 100; seq++) insert(2, seq);
  database.exec(
    "BEGIN; DELETE FROM events WHERE session = 1; DELETE FROM sessions WHERE key = 1; UPDATE ledger SET events = events - 200; COMMIT",
  );
  database.exec("PRAGMA wal_checkpoint(PASSIVE)");
  const log = readFileSync(`${file}-wal`);
  database.close();
  writeFileSync(`${file}-wal`, log.subarray(0, Math.floor(log.length / 2)));
  const before = readFileSync(file);
  const { message } = failureOf(() => openTranscriptStore({ dataDir: folder.path }));
  expect(message).toContain(`${file} is damaged`);
  expect(readFileSync(file).equals(before)).toBe(true);
  expect(existsSync(`${file}-wal`)).toBe(true);
});

it("a log that breaks off is read to its last whole transaction, and the operator is told of the rest", async () => {
  using folder = new TemporaryFolder();
  const child = spawn(process.execPath, [conditions, childFile, folder.path], { stdio: ["pipe", "pipe", "inherit"] });
  await once(child.stdout, "data");
  child.kill("SIGKILL");
  await once(child, "exit");
  const log = join(folder.path, "codemode.sqlite-wal");
  truncateSync(log, statSync(log).size - 100);
  const lines: string[] = [];
  await using store = openTranscriptStore({ dataDir: folder.path, log: (line) => lines.push(line) });
  expect(lines).toEqual([expect.stringMatching(/-wal: its last \d+ bytes are no complete write and were left out/)]);
  expect(store.events("a")).toEqual([]);
});

it("the log is folded into the database again and again, also while somebody reads", async () => {
  using folder = new TemporaryFolder();
  await using store = openTranscriptStore({ dataDir: folder.path });
  await fill(store, 1);
  using reader = readTranscripts(folder.path);
  expect(reader.events("a")).toHaveLength(1);
  await fill(store, 24, "x".repeat(1024 * 1024));
  expect(statSync(join(folder.path, "codemode.sqlite-wal")).size).toBeLessThan(12 * 1024 * 1024);
  expect(reader.events("a")).toHaveLength(25);
  expect(reader.sessions()).toEqual(store.sessions());
  expect(reader.messages("a")).toEqual([]);
});

it.each([
  { name: "a full disk", errcode: 13, said: /the disk of .* is full .*Free some space/ },
  { name: "an I/O error", errcode: 266, said: /could not be read or written .*Check the disk/ },
])("GW-7 $name makes the store read-only with a clear reason; what was acknowledged can be read", async (fault) => {
  using folder = new TemporaryFolder();
  const lines: string[] = [];
  let failing = "";
  await using store = openTranscriptStore({
    dataDir: folder.path,
    log: (line) => lines.push(line),
    wrapDatabase: (database) =>
      failingDatabase(database, (sql) => (sql === failing ? sqliteError(fault.errcode, "it failed") : undefined)),
  });
  await fill(store, 2);
  failing = "COMMIT";
  store.openSession("b", "main");
  store.append("a", { type: "text", n: 2 });
  await expect(store.flush()).rejects.toMatchObject({ code: "runtime_unavailable" });
  expect(store.readOnly).toMatch(fault.said);
  expect(lines).toEqual([expect.stringMatching(fault.said)]);
  expect(failureOf(() => store.append("a", { type: "text" })).message).toMatch(fault.said);
  expect(failureOf(() => store.openSession("c", "main")).code).toBe("runtime_unavailable");
  await expect(store.flush()).rejects.toMatchObject({ code: "runtime_unavailable" });
  await expect(store.deleteSession("a")).rejects.toMatchObject({ code: "runtime_unavailable" });
  expect(store.events("a").map(({ n }) => n)).toEqual([0, 1]);
  expect(store.sessions().map(({ id, events }) => [id, events])).toEqual([["a", 2]]);
});

it("GW-7 a disk that takes no more bytes: a real process goes read-only, answers reads, and loses nothing acknowledged", async () => {
  using folder = new TemporaryFolder();
  const script = `ulimit -f 200; exec "${process.execPath}" ${conditions} "${childFile}" "${folder.path}" until-full`;
  const { status, stdout, stderr } = spawnSync("bash", ["-c", script], { encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
  const report = JSON.parse(stdout) as { acknowledged: number; read: number; readOnly: string; code: string };
  expect(report.code).toBe("runtime_unavailable");
  expect(report.readOnly).toMatch(/codemode\.sqlite (is full|could not be read or written)/);
  expect(report.acknowledged).toBeGreaterThan(5);
  expect(report.read).toBe(report.acknowledged);
  await using store = openTranscriptStore({ dataDir: folder.path });
  expect(store.events("a")).toHaveLength(report.acknowledged);
  await fill(store, 1);
});
