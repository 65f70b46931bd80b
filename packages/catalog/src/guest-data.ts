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
  // guest spelling first: the guest lists the first name of each id
  const members = server.members.flatMap(({ name, originalName, tool }) =>
    [name, originalName].map((spelling) => [spelling, tool.entry.id] as const),
  );
  const special = [...server.special].map(([path, tool]) => [path, tool.entry.id] as const);
  return {
    server: server.name,
    members: Object.fromEntries(members.filter(([name]) => !reservedMemberNames.has(name))),
    ...(special.length === 0 ? {} : { special: Object.fromEntries(special) }),
  };
}
