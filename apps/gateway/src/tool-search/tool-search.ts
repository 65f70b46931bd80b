import { buildCatalog } from "@code-mode/catalog";
import {
  type CallOptions,
  type Catalog,
  type CatalogTool,
  CodeModeError,
  type CodeModeTool,
  didYouMean,
  type ModelTool,
  messageOf,
  type ToolExecutor,
  type ToolSet,
} from "@code-mode/contract";
import { callDirectTool, toDirectModelTools } from "../direct-tools.ts";
import { searchTools } from "./search-tools.ts";
import type { ToolSearchConfig } from "./tool-search-config.ts";
import { toolSearchSchemas } from "./tool-search-schemas.ts";

/**
 * The other compact surface (POL-3): `tool_search`, `tool_describe` and `tool_call` over the catalog that code mode has,
 * on the same executor path. Only for runs without code mode, which excludes it (ACT-3).
 */
export class ToolSearch {
  readonly #config: ToolSearchConfig;
  readonly #executor: ToolExecutor;
  readonly #catalogs = new WeakMap<ToolSet, Catalog>();

  constructor(config: ToolSearchConfig, executor: ToolExecutor) {
    this.#config = config;
    this.#executor = executor;
  }

  /**
   * The tools a model sees: the three controls and the direct-only tools; nothing to search leaves the tools as they are.
   * @throws CodeModeError `invalid_input` for tools that make no catalog, and for a direct-only tool named like a control
   */
  modelTools(toolSet: ToolSet): readonly ModelTool[] {
    const catalog = this.#catalogOf(toolSet);
    if (catalog.tools.length === 0) return toDirectModelTools(toolSet.tools, this.#executor);
    const controls = this.#controls(catalog);
    const direct = toolSet.tools.filter(({ catalogMode }) => catalogMode === "direct-only");
    assertNoControl(direct, controls);
    return [...controls, ...toDirectModelTools(direct, this.#executor)];
  }

  #controls(catalog: Catalog): readonly ModelTool[] {
    const { maxResults } = this.#config;
    const control = (name: keyof typeof toolSearchSchemas, call: ModelTool["call"]): ModelTool => ({
      name,
      kind: "direct",
      ...toolSearchSchemas[name],
      call: async (input, options = {}) => answer(() => call(input, options)),
    });
    return [
      control("tool_search", async (input) => search(catalog, input, maxResults)),
      control("tool_describe", async (input) => describe(catalog, textOf(input, "id"))),
      control("tool_call", (input, options = {}) => this.#call(catalog, input, options)),
    ];
  }

  async #call(catalog: Catalog, input: unknown, options: CallOptions): Promise<unknown> {
    const { tool } = find(catalog, textOf(input, "id"));
    const { input: given = {} } = input as { input?: unknown };
    return callDirectTool(this.#executor, tool, given, options);
  }

  #catalogOf(toolSet: ToolSet): Catalog {
    const known = this.#catalogs.get(toolSet);
    const catalog = known ?? buildCatalog(toolSet);
    if (known === undefined) this.#catalogs.set(toolSet, catalog);
    return catalog;
  }
}

/** A mistake of the model is an answer to it, not a fault of the turn. */
async function answer(work: () => Promise<unknown>): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    return { error: messageOf(error) };
  }
}

function search(catalog: Catalog, input: unknown, maxResults: number): unknown {
  const { limit } = input as { limit?: unknown };
  const most = typeof limit === "number" && limit >= 1 ? Math.min(Math.floor(limit), maxResults) : maxResults;
  return { tools: searchTools(catalog, textOf(input, "query"), most), of: catalog.tools.length };
}

function describe(catalog: Catalog, idOrName: string): unknown {
  const { entry, tool } = find(catalog, idOrName);
  const output = tool.outputSchema === undefined ? {} : { outputSchema: tool.outputSchema };
  return { ...entry, parameters: tool.parameters ?? { type: "object" }, ...output };
}

/** Denied tools are not in the catalog, so they read like tools that never were. */
function find(catalog: Catalog, idOrName: string): CatalogTool {
  const named = catalog.tools.filter(({ entry }) => entry.name === idOrName);
  const found = catalog.get(idOrName) ?? (named.length === 1 ? named[0] : undefined);
  if (found !== undefined) return found;
  const hint =
    named.length > 1
      ? ` It is the name of ${named.map(({ entry }) => entry.id).join(" and ")}: give the id.`
      : didYouMean(
          idOrName,
          catalog.tools.flatMap(({ entry }) => [entry.id, entry.name]),
        );
  throw new CodeModeError("tool_error", `there is no tool ${idOrName}.${hint} Find one with tool_search.`);
}

function textOf(input: unknown, key: string): string {
  const value = (input as { [key: string]: unknown } | null)?.[key];
  if (typeof value === "string" && value !== "") return value;
  throw new CodeModeError("invalid_input", `${key} is missing; send {${JSON.stringify(key)}: "…"}.`);
}

function assertNoControl(direct: readonly CodeModeTool[], controls: readonly ModelTool[]): void {
  const taken = direct.find(({ name }) => controls.some((control) => control.name === name));
  if (taken === undefined) return;
  throw new CodeModeError(
    "invalid_input",
    `a direct-only tool is named ${taken.name}, which tools.toolSearch uses itself. Deny it or switch tools.toolSearch off.`,
  );
}
