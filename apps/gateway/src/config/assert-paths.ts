import { existsSync, statSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { CodeModeError } from "@code-mode/contract";
import type { GatewayConfigInput } from "./config-schema.ts";
import type { KeyPath } from "./parse-config-text.ts";

/** Where relative paths start, and how a key is named in messages. */
export type PathsOptions = { readonly baseDir: string; readonly place: (path: KeyPath) => string };

/**
 * Checks what can be checked of paths before anything starts: the workspace is a folder, plugin files are there (CONF-3).
 * @throws CodeModeError `invalid_input` naming file, line and key
 */
export function assertPaths({ workspace, plugins = [] }: GatewayConfigInput, { baseDir, place }: PathsOptions): void {
  if (workspace !== undefined && !isFolder(resolve(baseDir, workspace)))
    throw new CodeModeError(
      "invalid_input",
      `${place(["workspace"])}: found ${JSON.stringify(workspace)}, expected an existing folder; ${resolve(baseDir, workspace)} is none. Create it or correct the path.`,
    );
  for (const [index, plugin] of plugins.entries()) {
    // packages are looked up where they are imported
    const isPath = isAbsolute(plugin) || plugin.startsWith(".");
    if (!isPath || existsSync(resolve(baseDir, plugin))) continue;
    throw new CodeModeError(
      "invalid_input",
      `${place(["plugins", index])}: plugin ${plugin}: the module cannot be loaded (there is no file ${resolve(baseDir, plugin)}). Check the path in "plugins"; it starts from ${baseDir}.`,
    );
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
