import type { Catalog, RunScope } from "@code-mode/contract";
import { enabledCodeMode, type Host } from "../../compose.ts";
import { catalogCallPaths, idsOfFound } from "../../explain/call-paths.ts";
import { type DescribedTool, describeTool } from "../describe-tool.ts";

/** A tool as `.tools` lists it. */
export type ListedTool = { readonly id: string; readonly call: string; readonly description: string };

/** The tools of a repl, by the expressions that call them; as they are now, because servers may still start. */
export class ReplTools {
  readonly #host: Host;
  readonly #scope: RunScope;

  constructor(host: Host, scope: RunScope) {
    this.#host = host;
    this.#scope = scope;
  }

  /** Expressions that call a tool, and all ids. */
  names(): { readonly calls: readonly string[]; readonly ids: readonly string[] } {
    const calls = this.#calls();
    return { calls: [...calls.values()].filter((call) => !call.includes("(")), ids: [...calls.keys()] };
  }

  /** All tools, or what a query finds. */
  list(query: string): readonly ListedTool[] {
    const calls = this.#calls();
    const catalog = this.#catalog();
    const idOf = idsOfFound(catalog);
    if (query !== "")
      return catalog
        .searchApi(query, 20)
        .map((found) => ({ id: idOf(found) ?? found.path, call: found.path, description: found.description }));
    return catalog.tools.map(({ entry }) => ({
      id: entry.id,
      call: calls.get(entry.id) ?? entry.id,
      description: entry.description,
    }));
  }

  /** @throws CodeModeError `tool_error` with the nearest names */
  describe(name: string): DescribedTool {
    return describeTool(this.#catalog(), name);
  }

  #catalog(): Catalog {
    return enabledCodeMode(this.#host).catalog(this.#scope);
  }

  #calls(): ReadonlyMap<string, string> {
    return catalogCallPaths(this.#catalog());
  }
}
