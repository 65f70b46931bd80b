import { lstat, realpath } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";
import { CodeModeError } from "@code-mode/contract";

/** A place inside the workspace. */
export type WorkspacePath = {
  /** Absolute, with every symbolic link resolved. */
  readonly absolute: string;
  /** Relative to the workspace, with `/`; `.` is the workspace itself. */
  readonly shown: string;
};

/** The folder that file tools may touch. Paths that leave it, also through a symbolic link, are refused. */
export class Workspace {
  readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  /**
   * Resolves a path of a tool input.
   * @throws CodeModeError `invalid_input`; the message never holds a path outside the workspace
   */
  async resolve(path: string): Promise<WorkspacePath> {
    const asked = JSON.stringify(path);
    if (path.includes("\0")) throw refused(`path ${asked} contains a NUL character`);
    if (isAbsolute(path) || /^(~?[\\/]|~$)/.test(path) || isDrivePath(path)) throw refused(`path ${asked} is absolute`);
    if (path.split(/[\\/]/).includes("..")) throw refused(`path ${asked} contains ".."`);
    const root = await this.#realRoot();
    const absolute = await realpath(join(root, path)).catch((error: unknown) => this.#explain(error, root, path));
    const inside = relative(root, absolute);
    if (inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside))
      throw refused(`path ${asked} leads out of the workspace through a symbolic link`);
    return { absolute, shown: inside === "" ? "." : inside.split(sep).join("/") };
  }

  async #realRoot(): Promise<string> {
    try {
      return await realpath(this.root);
    } catch {
      throw refused("the workspace folder does not exist: set workspace in the configuration");
    }
  }

  async #explain(error: unknown, root: string, path: string): Promise<never> {
    const asked = JSON.stringify(path);
    const code = (error as NodeJS.ErrnoException).code;
    const dangling = await lstat(join(root, path)).then(
      (stats) => stats.isSymbolicLink(),
      () => false,
    );
    if (dangling) throw refused(`path ${asked} is a symbolic link that leads nowhere`);
    if (code === "ENOENT" || code === "ENOTDIR")
      throw new CodeModeError(
        "invalid_input",
        `path ${asked} does not exist in the workspace. Use ls or grep to see what does.`,
      );
    throw new CodeModeError("invalid_input", `path ${asked} cannot be opened (${code ?? "unknown reason"}).`);
  }
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
