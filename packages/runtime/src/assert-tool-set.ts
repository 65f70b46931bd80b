import { CodeModeError, describeFound, didYouMean, type ToolSet } from "@code-mode/contract";

const originKinds = ["core", "plugin", "mcp", "client"];

/**
 * Checks what a host without types may have handed over as tools.
 * @throws CodeModeError `invalid_input` naming path, finding and what is expected
 */
export function assertToolSet(toolSet: ToolSet): void {
  const { tools } = toolSet;
  if (!Array.isArray(tools)) throw wrong("tools", tools, "a list of tools");
  for (const [index, tool] of (tools as readonly unknown[]).entries()) assertTool(tool, `tools[${index}]`);
}

function assertTool(tool: unknown, path: string): void {
  if (typeof tool !== "object" || tool === null || Array.isArray(tool))
    throw wrong(path, tool, "an object {name, description, execute}");
  const { name, description, execute, origin } = tool as Record<string, unknown>;
  if (typeof name !== "string" || name === "") throw wrong(`${path}.name`, name, "a name");
  if (description !== undefined && typeof description !== "string")
    throw wrong(`${path}.description`, description, "a text");
  if (typeof execute !== "function") throw wrong(`${path}.execute`, execute, "a function (input, context) => result");
  if (origin !== undefined && !originKinds.includes((origin as { kind?: string } | null)?.kind ?? ""))
    throw wrong(`${path}.origin.kind`, (origin as { kind?: unknown } | null)?.kind, `one of ${originKinds.join(", ")}`);
}

/**
 * Refuses options that nobody reads.
 * @throws CodeModeError `invalid_input` with the nearest known option
 */
export function assertKnownOptions(options: object, known: readonly string[]): void {
  for (const key of Object.keys(options)) {
    if (!known.includes(key))
      throw new CodeModeError(
        "invalid_input",
        `createCodeMode: unknown option ${key}.${didYouMean(key, known)} Known options: ${known.join(", ")}.`,
      );
  }
}

function wrong(path: string, found: unknown, expected: string): CodeModeError {
  return new CodeModeError("invalid_input", `${path}: found ${describeFound(found)}, expected ${expected}.`);
}
