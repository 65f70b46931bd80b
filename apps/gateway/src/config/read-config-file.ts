import { readFileSync } from "node:fs";
import { CodeModeError, messageOf } from "@code-mode/contract";
import { placeOf } from "./describe-config-issue.ts";
import { type ParsedText, parseConfigText } from "./parse-config-text.ts";
import { type Environment, substituteEnv } from "./substitute-env.ts";

/**
 * Reads and parses a file and fills in its environment variables.
 * @throws CodeModeError `invalid_input`
 */
export function readConfigFile(file: string, env: Environment): { readonly text: ParsedText; readonly value: unknown } {
  const text = parseConfigText(readText(file), file);
  return { text, value: substituteEnv(text.value, { env, place: (path) => placeOf(file, text, path) }) };
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new CodeModeError(
      "invalid_input",
      `${file}: the file cannot be read (${messageOf(error)}). Check the path given with --config, --mcp-config or $CODEMODE_CONFIG.`,
      { cause: error },
    );
  }
}
