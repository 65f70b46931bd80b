import type { Catalog, ToolSet } from "@code-mode/contract";
import { RunCatalog } from "./run-catalog.ts";

/**
 * Builds the catalog of a run from its effective tools: ids, names, `ALL_TOOLS`, search and MCP declarations. Linear in
 * the number of tools; schemas are not looked at until a search or a declaration needs them.
 * @throws CodeModeError `invalid_input` when two tools have one id or a plugin id is not allowed
 */
export function buildCatalog(toolSet: ToolSet): Catalog {
  return new RunCatalog(toolSet);
}
