import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { isAbsolute, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { CodeModeError, messageOf } from "@code-mode/contract";
import { parsePlugin } from "./parse-plugin.ts";
import type { Plugin } from "./plugin-types.ts";

/**
 * Imports one plugin module: a path relative to the configuration's folder, or an installed package.
 * @throws CodeModeError `invalid_input` that names the plugin and the reason
 */
export async function importPlugin(specifier: string, baseDir: string): Promise<Plugin> {
  let loaded: { default?: unknown };
  try {
    loaded = (await import(pathToFileURL(locate(specifier, baseDir)).href)) as { default?: unknown };
  } catch (error) {
    throw new CodeModeError(
      "invalid_input",
      `plugin ${specifier}: the module cannot be loaded (${firstLine(messageOf(error))}). ${adviceFor(specifier, baseDir)}`,
      { cause: error },
    );
  }
  return parsePlugin(loaded.default, specifier);
}

function locate(specifier: string, baseDir: string): string {
  if (isAbsolute(specifier) || specifier.startsWith(".")) return resolve(baseDir, specifier);
  return createRequire(join(baseDir, "codemode.config.json5")).resolve(specifier);
}

/** A module that is there has another fault than its path. */
function adviceFor(specifier: string, baseDir: string): string {
  try {
    if (existsSync(locate(specifier, baseDir))) return 'Correct the module or take it out of "plugins".';
  } catch {
    // a package that is not installed: the path is the fault
  }
  return `Check the path in "plugins"; it starts from ${baseDir}.`;
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? text;
}
