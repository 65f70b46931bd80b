import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";
import { CodeModeError } from "@code-mode/contract";

/** A place inside the workspace. */
export type WorkspacePath = {
  /** Absolute, with every symbolic link resolved. */
  readonly absolute: string;
  /** Relative to the workspace, with `/`; `.` is the workspace itself. */
  readonly shown: string;
};

/** A file that may not exist yet. */
export type WorkspaceTarget = {
  /** The deepest folder on the way that exists, with every symbolic link resolved. */
  readonly folder: string;
  /** Folders below it that do not exist. */
  readonly missing: readonly string[];
  readonly name: string;
  /** Relative to the workspace, with `/`. */
  readonly shown: string;
};

/** The folder that file tools may touch. Paths that leave it, also through a symbolic link, are refused. */
export class Workspace {
  readonly root: string;
  readonly #closed: readonly string[];

  /** @param closed absolute folders inside that are refused too: the gateway keeps its token and transcripts there */
  constructor(root: string, closed: readonly string[] = []) {
    this.root = root;
    this.#closed = closed;
  }

  /**
   * Resolves a path of a tool input.
   * @throws CodeModeError `invalid_input`; the message never holds a path outside the workspace
   */
  async resolve(path: string): Promise<WorkspacePath> {
    assertRelative(path);
    const root = await this.realRoot();
    const absolute = await realpath(join(root, path)).catch((error: unknown) => explain(error, root, path));
    assertInside(absolute, root, path);
    await this.assertOpen(absolute, path);
    return { absolute, shown: shownPath(absolute, root) };
  }

  /**
   * Resolves the path of a file to write, which need not exist, and neither need its folders.
   * @throws CodeModeError `invalid_input`; the message never holds a path outside the workspace
   */
  async resolveTarget(path: string): Promise<WorkspaceTarget> {
    assertRelative(path);
    const root = await this.realRoot();
    const existing = await deepestExisting(root, path);
    assertInside(existing.absolute, root, path);
    await this.assertOpen(join(existing.absolute, ...existing.missing), path);
    const [name, ...folders] = existing.missing.toReversed();
    if (name !== undefined) {
      await assertFolder(existing.absolute, root, path);
      const missing = folders.toReversed();
      const shown = shownPath(join(existing.absolute, ...missing, name), root);
      return { folder: existing.absolute, missing, name, shown };
    }
    if (existing.absolute === root) throw refused(`path ${JSON.stringify(path)} is the workspace folder itself`);
    const shown = shownPath(existing.absolute, root);
    return { folder: dirname(existing.absolute), missing: [], name: basename(existing.absolute), shown };
  }

  /**
   * Refuses what belongs to the gateway itself.
   * @param absolute a real path
   * @throws CodeModeError `invalid_input`
   */
  async assertOpen(absolute: string, path: string): Promise<void> {
    const closed = await this.closedFolders();
    if (!closed.some((folder) => isInside(absolute, folder))) return;
    throw refused(`path ${JSON.stringify(path)} belongs to the gateway itself`);
  }

  /** Folders that are refused, links resolved. One that holds the whole workspace cannot be closed. */
  async closedFolders(): Promise<readonly string[]> {
    const root = await this.realRoot();
    const real = await Promise.all(this.#closed.map((folder) => realpath(folder).catch(() => folder)));
    return [...new Set([...real, ...this.#closed])].filter((folder) => !isInside(root, folder));
  }

  /** The workspace folder with every symbolic link resolved. */
  async realRoot(): Promise<string> {
    try {
      return await realpath(this.root);
    } catch {
      throw refused("the workspace folder does not exist: set workspace in the configuration");
    }
  }
}

/** True for the root and everything below it; both are real paths. */
export function isInside(absolute: string, root: string): boolean {
  const inside = relative(root, absolute);
  return inside !== ".." && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
}

function shownPath(absolute: string, root: string): string {
  const inside = relative(root, absolute);
  return inside === "" ? "." : inside.split(sep).join("/");
}

function assertRelative(path: string): void {
  const asked = JSON.stringify(path);
  if (path.includes("\0")) throw refused(`path ${asked} contains a NUL character`);
  if (isAbsolute(path) || /^(~?[\\/]|~$)/.test(path) || isDrivePath(path)) throw refused(`path ${asked} is absolute`);
  if (path.split(/[\\/]/).includes("..")) throw refused(`path ${asked} contains ".."`);
}

function assertInside(absolute: string, root: string, path: string): void {
  if (isInside(absolute, root)) return;
  throw refused(`path ${JSON.stringify(path)} leads out of the workspace through a symbolic link`);
}

async function deepestExisting(root: string, path: string): Promise<{ absolute: string; missing: string[] }> {
  const segments = path.split(sep === "/" ? "/" : /[\\/]/).filter((segment) => segment !== "" && segment !== ".");
  for (let count = segments.length; count >= 0; count--) {
    const place = join(root, ...segments.slice(0, count));
    const absolute = await realpath(place).catch((error: NodeJS.ErrnoException) => error);
    if (typeof absolute === "string") return { absolute, missing: segments.slice(count) };
    const dangling = await isLink(place);
    if (dangling || (absolute.code !== "ENOENT" && absolute.code !== "ENOTDIR"))
      await explain(absolute, root, segments.slice(0, count).join("/"));
  }
  throw refused("the workspace folder does not exist: set workspace in the configuration");
}

async function explain(error: unknown, root: string, path: string): Promise<never> {
  const asked = JSON.stringify(path);
  const code = (error as NodeJS.ErrnoException).code;
  if (await isLink(join(root, path))) throw refused(`path ${asked} is a symbolic link that leads nowhere`);
  if (code === "ENOENT" || code === "ENOTDIR")
    throw new CodeModeError(
      "invalid_input",
      `path ${asked} does not exist in the workspace. Use ls or grep to see what does.`,
    );
  throw new CodeModeError("invalid_input", `path ${asked} cannot be opened (${code ?? "unknown reason"}).`);
}

async function assertFolder(absolute: string, root: string, path: string): Promise<void> {
  if ((await lstat(absolute)).isDirectory()) return;
  throw new CodeModeError(
    "invalid_input",
    `path ${JSON.stringify(path)} goes through ${JSON.stringify(shownPath(absolute, root))}, which is a file. Use ls to see what the workspace holds.`,
  );
}

function isLink(place: string): Promise<boolean> {
  return lstat(place).then(
    (stats) => stats.isSymbolicLink(),
    () => false,
  );
}

/** `C:secret` is relative to another drive's folder, which `isAbsolute` does not say. */
function isDrivePath(path: string): boolean {
  return process.platform === "win32" && /^[A-Za-z]:/.test(path);
}

function refused(reason: string): CodeModeError {
  return new CodeModeError(
    "invalid_input",
    `${reason}. Give a path inside the workspace, relative to it, such as "src/index.ts" or ".".`,
  );
}
