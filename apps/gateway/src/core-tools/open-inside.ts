import { constants } from "node:fs";
import { type FileHandle, open, readlink, realpath, stat } from "node:fs/promises";
import { CodeModeError } from "@code-mode/contract";
import { isInside, type Workspace, type WorkspacePath } from "./workspace.ts";

/** Follows no link at the last step, and does not hang on a named pipe. */
const safely = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** What is opened. */
export type OpenKind = "file" | "folder";

/**
 * Opens a resolved place for reading and proves by the open handle that it is still inside: a folder on the way may
 * have become a link since the path was checked.
 * @throws CodeModeError `invalid_input`
 */
export async function openInside(workspace: Workspace, place: WorkspacePath, kind: OpenKind): Promise<FileHandle> {
  const flags = constants.O_RDONLY | safely | (kind === "folder" ? (constants.O_DIRECTORY ?? 0) : 0);
  const handle = await open(place.absolute, flags).catch((error: NodeJS.ErrnoException) => {
    throw refusedToOpen(place.shown, kind, error.code);
  });
  try {
    const stats = await handle.stat();
    if (kind === "folder" ? !stats.isDirectory() : !stats.isFile())
      throw refusedToOpen(place.shown, kind, stats.isDirectory() ? "EISDIR" : "ENOTDIR");
    await assertInside(workspace, place, handle);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function assertInside(workspace: Workspace, place: WorkspacePath, handle: FileHandle): Promise<void> {
  const now = await placeOf(handle, place.absolute);
  if (now !== undefined && isInside(now, await workspace.realRoot())) return workspace.assertOpen(now, place.shown);
  throw new CodeModeError(
    "invalid_input",
    `path ${JSON.stringify(place.shown)} was replaced while it was opened and leads out of the workspace now. Give a path inside the workspace.`,
  );
}

/** Where the open file is: told by the kernel where it tells, else by what the path leads to now. */
async function placeOf(handle: FileHandle, path: string): Promise<string | undefined> {
  const told = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => undefined);
  if (told !== undefined) return told;
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined) return undefined;
  const [opened, found] = await Promise.all([handle.stat({ bigint: true }), stat(real, { bigint: true })]);
  return opened.ino === found.ino && opened.dev === found.dev ? real : undefined;
}

function refusedToOpen(shown: string, kind: OpenKind, code: string | undefined): CodeModeError {
  const path = JSON.stringify(shown);
  if (code === "EISDIR") return new CodeModeError("invalid_input", `${path} is a folder: use ls.`);
  if (code === "ENOTDIR" && kind === "folder")
    return new CodeModeError("invalid_input", `path ${path} is a file: use read.`);
  if (code === "ENOTDIR") return new CodeModeError("invalid_input", `${path} is not a regular file.`);
  if (code === "ELOOP")
    return new CodeModeError(
      "invalid_input",
      `path ${path} became a symbolic link while it was opened. Give a path inside the workspace.`,
    );
  return new CodeModeError(
    "invalid_input",
    `${path} cannot be opened (${code ?? "unknown reason"}). Use ls to see what the workspace holds.`,
  );
}
