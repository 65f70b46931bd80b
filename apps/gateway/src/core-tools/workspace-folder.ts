import { type FileHandle, mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { openInside } from "./open-inside.ts";
import type { Workspace, WorkspacePath } from "./workspace.ts";

/**
 * An open folder of the workspace. Its entries are reached through the handle where the system allows it, so that
 * nothing done on the way to the folder later can lead them elsewhere.
 */
export class WorkspaceFolder implements AsyncDisposable {
  readonly #workspace: Workspace;
  readonly #place: WorkspacePath;
  readonly #handle: FileHandle;
  readonly #base: string;

  private constructor(workspace: Workspace, place: WorkspacePath, opened: { handle: FileHandle; base: string }) {
    this.#workspace = workspace;
    this.#place = place;
    this.#handle = opened.handle;
    this.#base = opened.base;
  }

  /** @throws CodeModeError `invalid_input` when it is no folder or has left the workspace */
  static async open(workspace: Workspace, place: WorkspacePath): Promise<WorkspaceFolder> {
    const handle = await openInside(workspace, place, "folder");
    return new WorkspaceFolder(workspace, place, { handle, base: await baseOf(handle, place.absolute) });
  }

  /** Path of an entry, valid while this is open. */
  at(name: string): string {
    return join(this.#base, name);
  }

  /** The folder of this name inside, made if it is missing. */
  async folder(name: string): Promise<WorkspaceFolder> {
    await mkdir(this.at(name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
    const { absolute, shown } = this.#place;
    return WorkspaceFolder.open(this.#workspace, {
      absolute: join(absolute, name),
      shown: shown === "." ? name : `${shown}/${name}`,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close();
  }
}

/** The folder itself under a name that no rename changes; systems without one use the checked path. */
async function baseOf(handle: FileHandle, absolute: string): Promise<string> {
  const fixed = `/proc/self/fd/${handle.fd}`;
  return (await realpath(fixed).catch(() => undefined)) === undefined ? absolute : fixed;
}
