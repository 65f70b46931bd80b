import type { CatalogEntry, GuestCatalogData } from "@code-mode/contract";
import type { McpServer } from "./mcp-servers.ts";
import { reservedMemberNames } from "./reserved-names.ts";

/** What `guestData` is made of. */
export type GuestDataParts = {
  /** Entries of native tools in CAT-1 order. */
  readonly allTools: readonly CatalogEntry[];
  readonly safeNames: ReadonlyMap<string, string>;
  readonly servers: readonly McpServer[];
};

/** The lookup table of a guest: `ALL_TOOLS`, names and MCP members. No schemas, no MCP descriptions. */
export function guestData({ allTools, safeNames, servers }: GuestDataParts): GuestCatalogData {
  const reachable = servers.filter((server) => server.members.length > 0 || server.special.size > 0);
  return {
    allTools,
    names: Object.fromEntries(safeNames),
    mcp: Object.fromEntries(reachable.map((server) => [server.guestName, guestServer(server)])),
  };
}

function guestServer(server: McpServer): GuestCatalogData["mcp"][string] {
  const members = [...server.byName].filter(([name]) => !reservedMemberNames.has(name));
  const special = [...server.special].map(([path, tool]) => [path, tool.entry.id] as const);
  return {
    server: server.name,
    members: Object.fromEntries(members.map(([name, member]) => [name, member.tool.entry.id])),
    ...(special.length === 0 ? {} : { special: Object.fromEntries(special) }),
  };
}
