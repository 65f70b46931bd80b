/** Synchronous lookups of the run's catalog inside the worker; `@code-mode/catalog/guest` makes them from the catalog's text. */
export interface GuestCatalog {
  allToolsText(): string;
  toolId(safeName: string): string | undefined;
  toolNames(): string[];
  serverNames(): string[];
  /** The guest name of a server written in either spelling. */
  mcpServer(name: string): string | undefined;
  mcpMember(server: string, member: string): string | undefined;
  mcpMembers(server: string): string[];
  /** Dotted members of resources and prompts, such as `resources.read`. */
  mcpSpecial(server: string): string[];
  mcpSpecialMember(server: string, path: string): string | undefined;
  nearestTool(name: string): string[];
  nearestServer(name: string): string[];
  nearestMember(server: string, name: string): string[];
}

/** Makes the lookups from a catalog's guest text. */
export type CreateGuestCatalog = (text: string) => GuestCatalog;
