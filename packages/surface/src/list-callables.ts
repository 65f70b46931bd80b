import { compactInputHint } from "@code-mode/catalog";
import type { Catalog, CatalogTool, GuestCatalogData } from "@code-mode/contract";
import { sanitizeText } from "./sanitize-text.ts";

const maxLineBytes = 240;

/**
 * `read({ path: string })` for every core and plugin tool that has a convenience function: those with a declared
 * output first, then by name. Client and MCP tools never appear (SUR-6).
 */
export function listCallables(catalog: Catalog, guest: GuestCatalogData): string[] {
  const nameOf = new Map(Object.entries(guest.names).map(([name, id]) => [id, name]));
  return catalog.tools
    .filter(({ entry }) => entry.source === "openclaw" && nameOf.has(entry.id))
    .map(({ entry, tool }) => ({ name: nameOf.get(entry.id) ?? entry.name, tool }))
    .sort((a, b) => Number(hasOutput(b)) - Number(hasOutput(a)) || (a.name < b.name ? -1 : 1))
    .map(({ name, tool }) => sanitizeText(`${name}(${compactInputHint(tool.parameters)})`, maxLineBytes));
}

function hasOutput({ tool }: Pick<CatalogTool, "tool">): boolean {
  return tool.outputSchema !== undefined;
}
