import type { JsonSchema } from "./json.ts";
import type { CodeModeTool, ToolSet } from "./tool.ts";

/** Public source of an entry; plugin tools are `openclaw` with `sourceName` = plugin id (GUEST-2). */
export type CatalogSource = "openclaw" | "mcp" | "client";

/** What the guest sees of a tool in `ALL_TOOLS` and in search results. */
export type CatalogEntry = {
  readonly id: string;
  readonly name: string;
  readonly label?: string;
  readonly description: string;
  readonly source: CatalogSource;
  readonly sourceName?: string;
};

/** `tools.describe` adds the full schema (GUEST-3). */
export type CatalogEntryWithSchema = CatalogEntry & {
  readonly parameters: JsonSchema;
  readonly outputSchema?: JsonSchema;
};

/** A row of `API.search` (GUEST-9). */
export type ApiSearchEntry = {
  readonly path: string;
  readonly name: string;
  readonly description: string;
  readonly source: CatalogSource;
  readonly server?: string;
  readonly file?: string;
  readonly input?: string;
};

/** A row of `API.list` (MCP-5). */
export type ApiFile = {
  readonly path: string;
  readonly server?: string;
  readonly tools?: number;
  readonly bytes?: number;
  readonly note?: string;
};

/** What `MCP.<server>.$api()` returns (MCP-3). */
export type McpApiHeader = {
  readonly server: string;
  readonly file: string;
  readonly text: string;
  readonly tools: readonly {
    readonly name: string;
    readonly originalName: string;
    readonly declaration: string;
    readonly schema?: JsonSchema;
  }[];
};

/** A configured MCP server whose tools a program misses, and why in one inert line. */
export type UnavailableServer = { readonly name: string; readonly guestName: string; readonly why: string };

/** One catalogued tool. */
export type CatalogTool = { readonly entry: CatalogEntry; readonly tool: CodeModeTool };

/**
 * The run's catalog: fixed, immutable, built once per effective tool set.
 * Lookups throw `CodeModeError` `tool_error` with the nearest names in the message.
 */
export interface Catalog {
  /** Hash of everything the guest can see of it. */
  readonly hash: string;
  readonly sources: { readonly openclaw: number; readonly mcp: number; readonly client: number };
  /** Guest-side lookup table as one JSON text; see `GuestCatalogData`. */
  readonly guestText: string;
  /** Catalogued tools in CAT-1 order, MCP included. */
  readonly tools: readonly CatalogTool[];
  /** MCP servers that have a state but nothing to call, by name. */
  readonly unavailableServers: readonly UnavailableServer[];
  /** The tool with exactly this id, if it is in this catalog. */
  get(id: string): CatalogTool | undefined;
  /** Resolves an id or unambiguous name for `tools.call`/`tools.describe`; MCP ids and unknown ones throw. */
  resolveNative(idOrName: string): CatalogTool;
  /** Native tools, best first, at once: the first search of a large catalog takes a while. */
  search(query: string, limit: number): CatalogEntry[];
  /** The same without holding the event loop up; an engine that asks a model joins its answer in. */
  searchSoon(query: string, limit: number): Promise<CatalogEntry[]>;
  describe(idOrName: string): CatalogEntryWithSchema;
  searchApi(query: string, limit: number, only?: "mcp"): ApiSearchEntry[];
  searchApiSoon(query: string, limit: number, only?: "mcp"): Promise<ApiSearchEntry[]>;
  listApi(prefix?: string): ApiFile[];
  readApi(path: string): string;
  mcpApi(server: string, toolName?: string, options?: { schema?: boolean }): McpApiHeader;
}

/** Parsed form of `Catalog.guestText`: the names that the guest can reach, no schemas. Keys of the records are own keys only. */
export type GuestCatalogData = {
  readonly allTools: readonly CatalogEntry[];
  /** Safe name → exact id of a convenience function. */
  readonly names: { readonly [safeName: string]: string };
  /** Guest name of a server → its members (camelCase and original names) → exact id. */
  readonly mcp: {
    readonly [guestServerName: string]: {
      readonly server: string;
      readonly members: { readonly [memberName: string]: string };
      /** Dotted special members: `resources.read`, `prompts.get`, … → exact id. */
      readonly special?: { readonly [path: string]: string };
    };
  };
};

/** Builds a catalog from the effective tools of a run. */
export type BuildCatalog = (toolSet: ToolSet) => Catalog;
