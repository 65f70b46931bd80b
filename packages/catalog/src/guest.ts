import { type GuestCatalogData, nearestNames } from "@code-mode/contract";

/** Synchronous name lookups for the worker; every answer is data, never a prototype member. */
export interface GuestCatalog {
  /** JSON text of `ALL_TOOLS`. */
  allToolsText(): string;
  /** Exact id behind a convenience name. */
  toolId(safeName: string): string | undefined;
  toolNames(): string[];
  /** Guest names of the MCP servers. */
  serverNames(): string[];
  /** Exact id of a member; both names are accepted by guest or original spelling. */
  mcpMember(server: string, member: string): string | undefined;
  /** Exact id of a special member such as `resources.read`. */
  mcpSpecialMember(server: string, path: string): string | undefined;
  /** Member names of a server, guest spelling first; original spellings are listed only where they differ. */
  mcpMembers(server: string): string[];
  /** Special members the server offers, such as `resources.read`. */
  mcpSpecial(server: string): string[];
  /** Closest convenience names, best first. */
  nearestTool(name: string): string[];
  nearestServer(name: string): string[];
  nearestMember(server: string, name: string): string[];
}

/**
 * Reads the table that the host sends once per catalog.
 * @param text `Catalog.guestText`
 */
export function createGuestCatalog(text: string): GuestCatalog {
  return new ParsedGuestCatalog(JSON.parse(text) as GuestCatalogData);
}

type GuestServer = { readonly members: ReadonlyMap<string, string>; readonly special: ReadonlyMap<string, string> };

class ParsedGuestCatalog implements GuestCatalog {
  readonly #allTools: GuestCatalogData["allTools"];
  readonly #names: ReadonlyMap<string, string>;
  readonly #servers = new Map<string, GuestServer>();
  readonly #originalServerNames = new Map<string, string>();
  #allToolsText: string | undefined;

  constructor(data: GuestCatalogData) {
    this.#allTools = data.allTools;
    this.#names = new Map(Object.entries(data.names));
    for (const [guestName, { server, members, special }] of Object.entries(data.mcp)) {
      this.#servers.set(guestName, { members: new Map(Object.entries(members)), special: new Map(Object.entries(special ?? {})) });
      this.#originalServerNames.set(server, guestName);
    }
  }

  allToolsText(): string {
    this.#allToolsText ??= JSON.stringify(this.#allTools);
    return this.#allToolsText;
  }

  toolId(safeName: string): string | undefined {
    return this.#names.get(safeName);
  }

  toolNames(): string[] {
    return [...this.#names.keys()];
  }

  serverNames(): string[] {
    return [...this.#servers.keys()];
  }

  mcpMember(server: string, member: string): string | undefined {
    return this.#server(server)?.members.get(member);
  }

  mcpSpecialMember(server: string, path: string): string | undefined {
    return this.#server(server)?.special.get(path);
  }

  mcpMembers(server: string): string[] {
    return [...(this.#server(server)?.members.keys() ?? [])];
  }

  mcpSpecial(server: string): string[] {
    return [...(this.#server(server)?.special.keys() ?? [])];
  }

  nearestTool(name: string): string[] {
    return nearestNames(name, this.#names.keys());
  }

  nearestServer(name: string): string[] {
    return nearestNames(name, this.#servers.keys());
  }

  nearestMember(server: string, name: string): string[] {
    return nearestNames(name, [...this.mcpMembers(server), ...this.mcpSpecial(server)]);
  }

  #server(name: string): GuestServer | undefined {
    return this.#servers.get(name) ?? this.#servers.get(this.#originalServerNames.get(name) ?? "");
  }
}
