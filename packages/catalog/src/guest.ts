import type { GuestCatalogData } from "@code-mode/contract";
import { nearestOf } from "./nearest-names.ts";
import { reservedMemberNames } from "./reserved-names.ts";

/** Synchronous name lookups for the worker; every answer is data, never a prototype member. */
export interface GuestCatalog {
  /** JSON text of `ALL_TOOLS`. */
  allToolsText(): string;
  /** Exact id behind a convenience name. */
  toolId(safeName: string): string | undefined;
  toolNames(): string[];
  /** Guest names of the MCP servers. */
  serverNames(): string[];
  /** Guest name of a server written in guest or original spelling; never a reserved name. */
  mcpServer(name: string): string | undefined;
  /** Exact id of a member; server and member may be written in guest or original spelling. */
  mcpMember(server: string, member: string): string | undefined;
  /** Exact id of a special member such as `resources.read`. */
  mcpSpecialMember(server: string, path: string): string | undefined;
  /** Member names of a server in guest spelling. */
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

type GuestServer = {
  readonly guestName: string;
  readonly guestMembers: readonly string[];
  readonly members: ReadonlyMap<string, string>;
  readonly special: ReadonlyMap<string, string>;
};

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
      const entries = Object.entries(members);
      this.#servers.set(guestName, {
        guestName,
        guestMembers: guestSpellings(entries),
        members: new Map(entries),
        special: new Map(Object.entries(special ?? {})),
      });
      if (!reservedMemberNames.has(server)) this.#originalServerNames.set(server, guestName);
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

  mcpServer(name: string): string | undefined {
    return this.#server(name)?.guestName;
  }

  mcpMember(server: string, member: string): string | undefined {
    return this.#server(server)?.members.get(member);
  }

  mcpSpecialMember(server: string, path: string): string | undefined {
    return this.#server(server)?.special.get(path);
  }

  mcpMembers(server: string): string[] {
    return [...(this.#server(server)?.guestMembers ?? [])];
  }

  mcpSpecial(server: string): string[] {
    return [...(this.#server(server)?.special.keys() ?? [])];
  }

  nearestTool(name: string): string[] {
    return nearestOf(name, this.#names.keys());
  }

  nearestServer(name: string): string[] {
    return nearestOf(name, this.#servers.keys());
  }

  nearestMember(server: string, name: string): string[] {
    return nearestOf(name, [...this.mcpMembers(server), ...this.mcpSpecial(server)]);
  }

  #server(name: string): GuestServer | undefined {
    return this.#servers.get(name) ?? this.#servers.get(this.#originalServerNames.get(name) ?? "");
  }
}

/**
 * The first spelling of each id is the guest's. Keys that start with a digit are skipped: engines move integer-like keys
 * to the front, and guest names are identifiers.
 */
function guestSpellings(members: readonly (readonly [string, string])[]): string[] {
  const seen = new Set<string>();
  const names: string[] = [];
  for (const [name, id] of members) {
    if (/^[0-9]/.test(name) || seen.has(id)) continue;
    seen.add(id);
    names.push(name);
  }
  return names;
}
