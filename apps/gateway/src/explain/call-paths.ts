import { safeToolName } from "@code-mode/catalog";
import type { ApiSearchEntry, Catalog, CodeModeTool, GuestCatalogData } from "@code-mode/contract";
import { toolId } from "../policy/tool-id.ts";

const identifier = /^[A-Za-z_$][\w$]*$/;

/** The expression that calls each catalogued tool from a program, by id. */
export function callPaths(guest: GuestCatalogData, tools: readonly CodeModeTool[]): ReadonlyMap<string, string> {
  const paths = new Map<string, string>();
  const add = (id: string, path: string): void => {
    if (!paths.has(id)) paths.set(id, path);
  };
  for (const [name, id] of Object.entries(guest.names)) add(id, `tools.${name}`);
  for (const [server, { members, special = {} }] of Object.entries(guest.mcp)) {
    for (const [name, id] of Object.entries(members)) if (identifier.test(name)) add(id, `MCP.${server}.${name}`);
    for (const [path, id] of Object.entries(special)) add(id, `MCP.${server}.${path}`);
  }
  const native = new Set(guest.allTools.map(({ id }) => id));
  for (const id of tools.map(toolId)) if (native.has(id)) add(id, `tools.call(${JSON.stringify(id)}, input)`);
  return paths;
}

/** The expression that calls each tool of a catalog, by id. */
export function catalogCallPaths({ guestText, tools }: Catalog): ReadonlyMap<string, string> {
  return callPaths(
    JSON.parse(guestText) as GuestCatalogData,
    tools.map(({ tool }) => tool),
  );
}

/** Names what a search found by catalog ids; its own rows name tools by the expression that calls them. */
export function idsOfFound(catalog: Catalog): (found: ApiSearchEntry) => string | undefined {
  const idOf = new Map([...catalogCallPaths(catalog)].map(([id, path]) => [path, id]));
  return (found) => idOf.get(found.path) ?? idByName(catalog, found);
}

/** A member of a server may have several spellings, of which only one is its path. */
function idByName({ tools }: Catalog, { name, source, server }: ApiSearchEntry): string | undefined {
  return tools.find(
    ({ entry }) =>
      entry.name === name && entry.source === source && (server === undefined || entry.sourceName === server),
  )?.entry.id;
}

/** Why a native tool has no `tools.<name>` function, if it has none (GUEST-4, CAT-5). */
export function noConvenience(
  tool: CodeModeTool,
  guest: GuestCatalogData,
  tools: readonly CodeModeTool[],
): string | undefined {
  if (tool.origin?.kind === "mcp") return undefined;
  const safeName = safeToolName(tool.name);
  if (Object.hasOwn(guest.names, safeName)) return undefined;
  const native = new Set(guest.allTools.map(({ id }) => id));
  const others = tools
    .filter((other) => other !== tool && safeToolName(other.name) === safeName && native.has(toolId(other)))
    .map(toolId);
  const why =
    others.length > 0 ? `it shares the name ${safeName} with ${others.join(", ")}` : `${safeName} is reserved`;
  return `no convenience function: ${why}`;
}
