import { CodeModeError, resolveCodeModeConfig } from "@code-mode/contract";
import { assertKnownOptions } from "./assert-tool-set.ts";
import type { CodeModeOptions } from "./code-mode-options.ts";
import { CodeModeRuntime } from "./code-mode-runtime.ts";

/** The bundled worker when built, its source when this file runs from source. */
const workerFile = import.meta.url.endsWith(".ts") ? "./worker-entry.ts" : "./worker-entry.js";

const optionNames: readonly (keyof CodeModeOptions)[] = [
  "tools",
  "config",
  "configOf",
  "executor",
  "policy",
  "hooks",
  "approvals",
  "recorder",
  "store",
  "telemetry",
  "search",
  "namespaces",
];

/**
 * Activates code mode over a set of tools. Workers start at once in the background; `ready()` says when.
 * Dispose it when done.
 * @throws CodeModeError `invalid_input` for a bad configuration, tools that make no catalog, or a configuration that
 * switches code mode off
 */
export function createCodeMode(options: CodeModeOptions): CodeModeRuntime {
  assertKnownOptions(options, optionNames);
  const config = resolveCodeModeConfig(options.config === undefined ? true : withEnabled(options.config));
  if (!config.enabled)
    throw new CodeModeError(
      "invalid_input",
      "tools.codeMode is off (enabled is false): set enabled: true, or do not create code mode.",
    );
  return new CodeModeRuntime(options, config, new URL(workerFile, import.meta.url));
}

/** Calling `createCodeMode` is the activation: an object that says nothing about `enabled` means on. */
function withEnabled(config: unknown): unknown {
  return typeof config === "object" && config !== null && !Array.isArray(config) && !("enabled" in config)
    ? { ...config, enabled: true }
    : config;
}
