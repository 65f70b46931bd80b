import type { ApiSearchEntry, CatalogEntry, CatalogTool } from "@code-mode/contract";
import { mcpCallPath, nativeCallPath } from "../call-path.ts";
import { compactInputHint } from "../input-hint.ts";
import type { McpMember, McpServer } from "../mcp-servers.ts";
import { toolFilePath } from "../virtual-files.ts";
import { SearchIndex } from "./search-index.ts";

/** What searches run over. */
export type CatalogSearchParts = {
  readonly tools: readonly CatalogTool[];
  readonly safeNames: ReadonlyMap<string, string>;
  readonly servers: readonly McpServer[];
};

/** Longest description of a result: a list of eight must stay readable. */
const maxResultDescription = 300;

type McpPlace = { readonly server: McpServer; readonly member: McpMember | string };
/** A list of tools with its index, and with the tools by id, name and path in lower case. */
type Corpus = {
  readonly tools: readonly CatalogTool[];
  readonly index: SearchIndex;
  readonly named: ReadonlyMap<string, readonly CatalogTool[]>;
};

/** The searches of a catalog. Indexes are built on first use: most cells never search. */
export class CatalogSearch {
  readonly #parts: CatalogSearchParts;
  #native: Corpus | undefined;
  #all: Corpus | undefined;
  #mcp: Corpus | undefined;
  #places: Map<string, McpPlace> | undefined;
  #safeNameOf: Map<string, string> | undefined;

  constructor(parts: CatalogSearchParts) {
    this.#parts = parts;
  }

  /** Native entries, best first (GUEST-3). */
  native(query: string, limit: number): CatalogEntry[] {
    this.#native ??= this.#corpus(this.#parts.tools.filter(({ entry }) => entry.source !== "mcp"));
    return this.#rank(this.#native, query, limit).map(({ entry }) => entry);
  }

  /** Native and MCP tools, or MCP tools only, as plain rows (GUEST-9). */
  api(query: string, limit: number, only?: "mcp"): ApiSearchEntry[] {
    return this.#rank(only === "mcp" ? this.#mcpCorpus() : this.#allCorpus(), query, limit).map((tool) =>
      this.#row(tool),
    );
  }

  #allCorpus(): Corpus {
    this.#all ??= this.#corpus(this.#parts.tools);
    return this.#all;
  }

  #mcpCorpus(): Corpus {
    const { tools } = this.#parts;
    if (tools.every(({ entry }) => entry.source === "mcp")) return this.#allCorpus();
    this.#mcp ??= this.#corpus(tools.filter(({ entry }) => entry.source === "mcp"));
    return this.#mcp;
  }

  /** A tool whose id, name or path is the query comes first; a blank query lists tools in catalog order. */
  #rank({ tools, index, named }: Corpus, query: string, limit: number): CatalogTool[] {
    const wanted = query.trim().toLowerCase();
    const most = Math.max(0, Math.floor(limit));
    if (wanted === "") return tools.slice(0, most);
    const exact = named.get(wanted) ?? [];
    const ranked = index.search(query, most + exact.length).flatMap((position) => tools[position] ?? []);
    return [...new Set([...exact, ...ranked])].slice(0, most);
  }

  #corpus(tools: readonly CatalogTool[]): Corpus {
    const named = new Map<string, CatalogTool[]>();
    for (const tool of tools) {
      const spellings = [tool.entry.id, tool.entry.name, this.#pathOf(tool.entry)].map((spelling) =>
        spelling.toLowerCase(),
      );
      for (const spelling of new Set(spellings)) {
        const list = named.get(spelling);
        if (list === undefined) named.set(spelling, [tool]);
        else list.push(tool);
      }
    }
    return { tools, index: new SearchIndex(tools), named };
  }

  #pathOf(entry: CatalogEntry): string {
    const place = this.#mcpPlaces().get(entry.id);
    return place === undefined
      ? nativeCallPath(entry.id, this.#safeName(entry.id))
      : mcpCallPath(place.server, place.member);
  }

  #row({ entry, tool }: CatalogTool): ApiSearchEntry {
    const place = this.#mcpPlaces().get(entry.id);
    return {
      path: this.#pathOf(entry),
      name: entry.name,
      description:
        entry.description.length > maxResultDescription
          ? `${entry.description.slice(0, maxResultDescription - 1)}…`
          : entry.description,
      source: entry.source,
      ...(place === undefined ? {} : { server: place.server.name, file: fileOf(place) }),
      input: compactInputHint(tool.parameters),
    };
  }

  #safeName(id: string): string | undefined {
    this.#safeNameOf ??= new Map([...this.#parts.safeNames].map(([name, toolId]) => [toolId, name]));
    return this.#safeNameOf.get(id);
  }

  #mcpPlaces(): Map<string, McpPlace> {
    if (this.#places !== undefined) return this.#places;
    const places = new Map<string, McpPlace>();
    for (const server of this.#parts.servers) {
      for (const member of server.members) places.set(member.tool.entry.id, { server, member });
      for (const [path, tool] of server.special) places.set(tool.entry.id, { server, member: path });
    }
    this.#places = places;
    return places;
  }
}

function fileOf({ server, member }: McpPlace): string {
  return typeof member === "string" ? server.file : toolFilePath(server, member);
}
