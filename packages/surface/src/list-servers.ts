import type { Catalog, GuestCatalogData } from "@code-mode/contract";
import { sanitizeText } from "./sanitize-text.ts";

const maxNameBytes = 64;

/** `github (26)`: the MCP servers of a catalog under their guest names with the number of their tools, by name. */
export function listServers(catalog: Catalog, guest: GuestCatalogData): string[] {
  const counts = new Map<string, number>();
  for (const { tool } of catalog.tools) {
    const origin = tool.origin;
    if (origin?.kind !== "mcp") continue;
    const isTool = origin.member === undefined || origin.member === "tool";
    counts.set(origin.server, (counts.get(origin.server) ?? 0) + (isTool ? 1 : 0));
  }
  return Object.entries(guest.mcp)
    .map(([guestName, { server }]) => `${sanitizeText(guestName, maxNameBytes)} (${counts.get(server) ?? 0})`)
    .sort();
}
