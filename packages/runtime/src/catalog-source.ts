import { buildCatalog, createLexicalEngine, type SearchEngine } from "@code-mode/catalog";
import {
  type Catalog,
  CodeModeError,
  type CodeModeTool,
  describeFound,
  type RunScope,
  type ToolSet,
} from "@code-mode/contract";
import { assertToolSet } from "./assert-tool-set.ts";

/** Tools of a code mode: fixed, or asked for per scope. The same object means the same catalog. */
export type ToolSource = readonly CodeModeTool[] | ToolSet | ((scope: RunScope) => ToolSet);

/** Makes the catalog of a scope, once per effective tool set. */
export class CatalogSource {
  readonly #source: (scope: RunScope) => ToolSet;
  readonly #built = new WeakMap<ToolSet, Catalog>();
  readonly #direct = new WeakMap<ToolSet, readonly string[]>();

  readonly #search: SearchEngine;

  /** @param search one engine for all catalogs, so that they share the index of what they have in common */
  constructor(source: ToolSource, search: SearchEngine = createLexicalEngine()) {
    this.#search = search;
    if (typeof source === "function") this.#source = source;
    else if (typeof source !== "object" || source === null)
      throw new CodeModeError(
        "invalid_input",
        `tools: found ${describeFound(source)}, expected a list of tools, {tools}, or a function of the scope.`,
      );
    else {
      const fixed: ToolSet = "tools" in source ? source : { tools: source };
      this.#source = () => fixed;
      this.#catalogOf(fixed);
    }
  }

  /** @throws CodeModeError `invalid_input` when the tools do not make a catalog */
  of(scope: RunScope): Catalog {
    return this.#catalogOf(this.#source(scope));
  }

  /** Names of direct-only tools of a scope, which the model keeps seeing. */
  directNames(scope: RunScope): readonly string[] {
    const toolSet = this.#source(scope);
    let names = this.#direct.get(toolSet);
    if (names === undefined) {
      names = toolSet.tools.filter((tool) => tool.catalogMode === "direct-only").map((tool) => tool.name);
      this.#direct.set(toolSet, names);
    }
    return names;
  }

  #catalogOf(toolSet: ToolSet): Catalog {
    let catalog = this.#built.get(toolSet);
    if (catalog === undefined) {
      assertToolSet(toolSet);
      catalog = buildCatalog(toolSet, { search: this.#search });
      this.#built.set(toolSet, catalog);
    }
    return catalog;
  }
}
