import type { Catalog } from "@code-mode/contract";
import { idsOfFound } from "../explain/call-paths.ts";

/** A tool that a search found, named by its catalog id. */
export type FoundTool = {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly input?: string;
};

/** The best tools for a query over everything in a catalog. */
export function searchTools(catalog: Catalog, query: string, limit: number): readonly FoundTool[] {
  const idOf = idsOfFound(catalog);
  return catalog.searchApi(query, limit).flatMap((row) => {
    const id = idOf(row);
    const { name, description, input } = row;
    return id === undefined ? [] : [{ id, name, description, ...(input === undefined ? {} : { input }) }];
  });
}
