import { CodeModeError, type CodeModeTool } from "@code-mode/contract";

/**
 * Proves that a model can tell the direct-only tools apart by name, from each other and from the controls (SUR-1).
 * @throws CodeModeError `invalid_input`
 */
export function assertDistinctNames(directTools: readonly CodeModeTool[]): void {
  const seen = new Set(["exec", "wait"]);
  for (const { name } of directTools) {
    if (seen.has(name)) {
      const other = name === "exec" || name === "wait" ? "a control of code mode" : "another direct-only tool";
      throw new CodeModeError(
        "invalid_input",
        `The direct-only tool "${name}" has the name of ${other}. Rename it or remove it from the run.`,
      );
    }
    seen.add(name);
  }
}
