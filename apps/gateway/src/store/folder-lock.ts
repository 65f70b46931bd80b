import { chmodSync, closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { CodeModeError } from "@code-mode/contract";
import { openDatabase } from "./open-database.ts";

/**
 * Takes a data folder for this process, creating it for this user alone. The lock is one of the operating system on a
 * file, so a killed process never leaves it behind; the process id beside it only serves the message.
 * @throws CodeModeError `runtime_unavailable` while another process has it
 */
export function lockFolder(dataDir: string): Disposable {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const pidFile = join(dataDir, "codemode.pid");
  const lock = openDatabase(createPrivateFile(join(dataDir, "codemode.lock")));
  try {
    lock.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    if ((error as { errcode?: number }).errcode !== 5) throw error;
    throw new CodeModeError(
      "runtime_unavailable",
      `another gateway${processOf(pidFile)} uses ${dataDir}. Stop it, or set gateway.dataDir to another folder.`,
      { cause: error },
    );
  }
  writeFileSync(pidFile, `${process.pid}\n`, { mode: 0o600 });
  return { [Symbol.dispose]: () => unlock(lock, pidFile) };
}

/** Creates a file that only this user may read, or makes an existing one so; gives its path. */
export function createPrivateFile(file: string): string {
  closeSync(openSync(file, "a", 0o600));
  chmodSync(file, 0o600);
  return file;
}

function unlock(lock: DatabaseSync, pidFile: string): void {
  if (!lock.isOpen) return;
  rmSync(pidFile, { force: true });
  lock.close();
}

function processOf(pidFile: string): string {
  try {
    const pid = Number.parseInt(readFileSync(pidFile, "utf8"), 10);
    process.kill(pid, 0);
    return ` (process ${pid})`;
  } catch {
    // no readable id, or one of a process that is gone: the lock counts, the id is only a hint
    return "";
  }
}
