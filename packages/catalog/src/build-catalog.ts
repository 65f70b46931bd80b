import type { Catalog, ToolSet } from "@code-mode/contract";
import { RunCatalog } from "./run-catalog.ts";
import { createLexicalEngine } from "./search/lexical-engine.ts";
import type { SearchEngine } from "./search/search-engine.ts";

/** Options of `buildCatalog`. */
export type BuildCatalogOptions = {
  /** How the catalog searches. Catalogs that share an engine share the index of what they have in common. Default: by words, of its own. */
  readonly search?: SearchEngine | undefined;
};

/**
 * Builds the catalog of a run from its effective tools: ids, names, `ALL_TOOLS`, search and MCP declarations. Linear in
 * the number of tools; schemas are not looked at until a search or a declaration needs them.
 * @throws CodeModeError `invalid_input` when two tools have one id or a plugin id is not allowed
 */
export function buildCatalog(toolSet: ToolSet, options: BuildCatalogOptions = {}): Catalog {
  return new RunCatalog(toolSet, options.search ?? createLexicalEngine());
}
