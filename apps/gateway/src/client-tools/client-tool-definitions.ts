import { CodeModeError, describeFound } from "@code-mode/contract";
import type { ClientToolDefinition } from "../turns/turn.ts";

/** Most tools a client may bring; with more of them a request is a mistake. */
const maxClientTools = 512;
const namePattern = /^[A-Za-z0-9_.-]{1,64}$/;

/**
 * Checks the tools that a client brings with a request.
 * @throws CodeModeError `invalid_input` naming the tool at fault
 */
export function assertClientTools(definitions: readonly ClientToolDefinition[], path: string): void {
  if (definitions.length > maxClientTools)
    throw new CodeModeError(
      "invalid_input",
      `${path}: ${definitions.length} tools, at most ${maxClientTools} are taken. Leave out what this conversation does not need.`,
    );
  const seen = new Set<string>();
  for (const [index, { name, parameters }] of definitions.entries()) {
    const at = `${path}[${index}]`;
    if (!namePattern.test(name))
      throw new CodeModeError(
        "invalid_input",
        `${at}: the name ${JSON.stringify(name.slice(0, 80))} is not allowed; use 1 to 64 of A-Z a-z 0-9 _ . -`,
      );
    if (seen.has(name))
      throw new CodeModeError("invalid_input", `${at}: a second tool is named ${name}; each name may stand once.`);
    seen.add(name);
    if (parameters !== undefined && (typeof parameters !== "object" || parameters === null))
      throw new CodeModeError(
        "invalid_input",
        `${at}.parameters: found ${describeFound(parameters)}, expected a JSON Schema object.`,
      );
  }
}
