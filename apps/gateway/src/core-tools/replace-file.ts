import { randomUUID } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { constants } from "node:fs";
import { type FileHandle, lstat, open, rename, unlink } from "node:fs/promises";
import { CodeModeError } from "@code-mode/contract";
import type { Workspace, WorkspaceTarget } from "./workspace.ts";
import { WorkspaceFolder } from "./workspace-folder.ts";

/** What is written, and what must still be there. */
export type Replacement = {
  readonly bytes: Uint8Array;
  /** The file that the new content was made from; anything else there by now is refused. */
  readonly expected?: BigIntStats;
  readonly signal: AbortSignal;
};

/** Mode of a new file, before the process's mask. */
const newFileMode = 0o666;

/**
 * Writes a whole file or nothing: into a temporary file of the same folder that takes the name at the end. Missing
 * folders are made. True when the file is new.
 * @throws CodeModeError `invalid_input`
 */
export async function replaceFile(
  workspace: Workspace,
  target: WorkspaceTarget,
  replacement: Replacement,
): Promise<boolean> {
  await using folder = await openFolder(workspace, target);
  const old = await lstat(folder.at(target.name), { bigint: true }).catch(() => undefined);
  assertReplaceable(old, target, replacement.expected);
  const temporary = folder.at(`.codemode-${randomUUID()}.tmp`);
  await writeNew(temporary, replacement.bytes, old).catch((error: NodeJS.ErrnoException) => {
    throw cannotWrite(target, error);
  });
  try {
    replacement.signal.throwIfAborted();
    if (replacement.expected !== undefined) {
      const now = await lstat(folder.at(target.name), { bigint: true }).catch(() => undefined);
      assertReplaceable(now, target, replacement.expected);
    }
    await rename(temporary, folder.at(target.name));
  } catch (error) {
    await unlink(temporary);
    throw (error as NodeJS.ErrnoException).syscall === undefined ? error : cannotWrite(target, error);
  }
  return old === undefined;
}

async function openFolder(workspace: Workspace, target: WorkspaceTarget): Promise<WorkspaceFolder> {
  const shown = target.shown
    .split("/")
    .slice(0, -1 - target.missing.length)
    .join("/");
  let folder = await WorkspaceFolder.open(workspace, { absolute: target.folder, shown: shown || "." });
  for (const name of target.missing) {
    await using parent = folder;
    folder = await parent.folder(name).catch((error: NodeJS.ErrnoException) => {
      throw CodeModeError.is(error) ? error : cannotWrite(target, error);
    });
  }
  return folder;
}

async function writeNew(path: string, bytes: Uint8Array, old: BigIntStats | undefined): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
  const handle: FileHandle = await open(path, flags, newFileMode);
  try {
    if (old !== undefined) await handle.chmod(Number(old.mode & 0o777n));
    await handle.writeFile(bytes);
    await handle.sync();
  } catch (error) {
    await unlink(path);
    throw error;
  } finally {
    await handle.close();
  }
}

function assertReplaceable(old: BigIntStats | undefined, { shown }: WorkspaceTarget, expected?: BigIntStats): void {
  const path = JSON.stringify(shown);
  if (old?.isDirectory()) throw new CodeModeError("invalid_input", `${path} is a folder; give the path of a file.`);
  if (old !== undefined && !old.isFile())
    throw new CodeModeError("invalid_input", `${path} is not a regular file; only regular files are written.`);
  if (expected === undefined) return;
  if (old?.ino === expected.ino && old.mtimeNs === expected.mtimeNs && old.size === expected.size) return;
  throw new CodeModeError("invalid_input", `${path} was changed by somebody else meanwhile. Read it again, then edit.`);
}

function cannotWrite({ shown }: WorkspaceTarget, error: unknown): CodeModeError {
  const { code } = error as NodeJS.ErrnoException;
  const hint = code === "ENOTDIR" ? "a part of the path is a file" : (code ?? "unknown reason");
  return new CodeModeError(
    "invalid_input",
    `${JSON.stringify(shown)} cannot be written (${hint}). Use ls to see what the workspace holds.`,
    { cause: error },
  );
}
