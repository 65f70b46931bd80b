import type { ApiSearchEntry, Catalog, GuestCatalogData } from "@code-mode/contract";
import { callPaths } from "../explain/call-paths.ts";

/** A tool that a search found, named by its catalog id. */
export type FoundTool = {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly input?: string;
};

/** The best tools for a query over everything in a catalog; its own rows name tools by expressions of programs. */
export function searchTools(catalog: Catalog, query: string, limit: number): readonly FoundTool[] {
  const found = catalog.searchApi(query, limit);
  const guest = JSON.parse(catalog.guestText) as GuestCatalogData;
  const paths = callPaths(
    guest,
    catalog.tools.map(({ tool }) => tool),
  );
  const idOf = new Map([...paths].map(([id, path]) => [path, id]));
  return found.flatMap((row) => {
    const id = idOf.get(row.path) ?? idByName(catalog, row);
    const { name, description, input } = row;
    return id === undefined ? [] : [{ id, name, description, ...(input === undefined ? {} : { input }) }];
  });
}

/** A member of a server may have several spellings, of which only one is its path. */
function idByName({ tools }: Catalog, { name, source, server }: ApiSearchEntry): string | undefined {
  return tools.find(
    ({ entry }) =>
      entry.name === name && entry.source === source && (server === undefined || entry.sourceName === server),
  )?.entry.id;
}
