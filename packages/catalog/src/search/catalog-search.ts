import type { ApiSearchEntry, CatalogEntry, CatalogTool } from "@code-mode/contract";
import { mcpCallPath, nativeCallPath } from "../call-path.ts";
import { compactInputHint } from "../input-hint.ts";
import type { McpMember, McpServer } from "../mcp-servers.ts";
import { toolFilePath } from "../virtual-files.ts";
import type { SearchEngine, ToolRanker } from "./search-engine.ts";
import { SlicedTask } from "./sliced-task.ts";

/** What searches run over. */
export type CatalogSearchParts = {
  readonly tools: readonly CatalogTool[];
  readonly safeNames: ReadonlyMap<string, string>;
  readonly servers: readonly McpServer[];
  readonly engine: SearchEngine;
};

/** Longest description of a result: a list of eight must stay readable. */
const maxResultDescription = 300;

type McpPlace = { readonly server: McpServer; readonly member: McpMember | string };
/** Which tools a search ranks. */
type CorpusName = "native" | "mcp" | "all";
type Corpus = { readonly tools: readonly CatalogTool[]; readonly ranker: ToolRanker };
/** How tools are called, and the tools by id, name and path in lower case. */
type Names = {
  readonly places: ReadonlyMap<string, McpPlace>;
  readonly paths: ReadonlyMap<string, string>;
  readonly named: ReadonlyMap<string, readonly CatalogTool[]>;
};
type Query = { readonly text: string; readonly limit: number };

/** The searches of a catalog. Names and indexes are made on first use: most cells never search. */
export class CatalogSearch {
  readonly #parts: CatalogSearchParts;
  readonly #names: SlicedTask<Names>;
  readonly #corpora = new Map<CorpusName, Corpus>();

  constructor(parts: CatalogSearchParts) {
    this.#parts = parts;
    this.#names = new SlicedTask(collectNames(parts));
  }

  /** Native entries, best first (GUEST-3), at once. */
  nativeNow(text: string, limit: number): CatalogEntry[] {
    return this.#rankNow("native", { text, limit }).map(({ entry }) => entry);
  }

  /** Native entries, best first (GUEST-3). */
  async native(text: string, limit: number): Promise<CatalogEntry[]> {
    return (await this.#rank("native", { text, limit })).map(({ entry }) => entry);
  }

  /** Native and MCP tools, or MCP tools only, as plain rows (GUEST-9), at once. */
  apiNow(text: string, limit: number, only?: "mcp"): ApiSearchEntry[] {
    return this.#rows(this.#rankNow(only ?? "all", { text, limit }));
  }

  /** Native and MCP tools, or MCP tools only, as plain rows (GUEST-9). */
  async api(text: string, limit: number, only?: "mcp"): Promise<ApiSearchEntry[]> {
    return this.#rows(await this.#rank(only ?? "all", { text, limit }));
  }

  #rankNow(name: CorpusName, query: Query): CatalogTool[] {
    const { tools, ranker } = this.#corpus(name);
    const named = this.#names.finish().named;
    return rankTools({ tools, named, name }, query, (text, limit) => ranker.rankNow(text, limit));
  }

  async #rank(name: CorpusName, query: Query): Promise<CatalogTool[]> {
    const { tools, ranker } = this.#corpus(name);
    const { named } = await this.#names.run();
    const positions =
      query.text.trim() === "" ? [] : await ranker.rank(query.text, mostOf(query) + namesakes(named, query));
    return rankTools({ tools, named, name }, query, () => positions);
  }

  #corpus(name: CorpusName): Corpus {
    const all = this.#parts.tools;
    const isMcp = ({ entry }: CatalogTool): boolean => entry.source === "mcp";
    const wanted: CorpusName = name !== "all" && all.every((tool) => isMcp(tool) === (name === "mcp")) ? "all" : name;
    const known = this.#corpora.get(wanted);
    if (known !== undefined) return known;
    const tools = wanted === "all" ? all : all.filter((tool) => isMcp(tool) === (wanted === "mcp"));
    const corpus = { tools, ranker: this.#parts.engine.open(tools) };
    this.#corpora.set(wanted, corpus);
    return corpus;
  }

  #rows(tools: readonly CatalogTool[]): ApiSearchEntry[] {
    const { places, paths } = this.#names.finish();
    return tools.map(({ entry, tool }) => {
      const place = places.get(entry.id);
      return {
        path: paths.get(entry.id) ?? "",
        name: entry.name,
        description:
          entry.description.length > maxResultDescription
            ? `${entry.description.slice(0, maxResultDescription - 1)}…`
            : entry.description,
        source: entry.source,
        ...(place === undefined ? {} : { server: place.server.name, file: fileOf(place) }),
        input: compactInputHint(tool.parameters),
      };
    });
  }
}

type RankedCorpus = Pick<Corpus, "tools"> & { readonly named: Names["named"]; readonly name: CorpusName };

/** A tool whose id, name or path is the query comes first; a blank query lists tools in catalog order. */
function rankTools(
  { tools, named, name }: RankedCorpus,
  query: Query,
  rank: (text: string, limit: number) => readonly number[],
): CatalogTool[] {
  const most = mostOf(query);
  if (query.text.trim() === "") return tools.slice(0, most);
  const isWanted = ({ entry }: CatalogTool): boolean => name === "all" || (entry.source === "mcp") === (name === "mcp");
  const exact = (named.get(keyOf(query.text)) ?? []).filter(isWanted);
  const ranked = rank(query.text, most + exact.length).flatMap((position) => tools[position] ?? []);
  return [...new Set([...exact, ...ranked])].slice(0, most);
}

function mostOf({ limit }: Query): number {
  return Math.max(0, Math.floor(limit));
}

function namesakes(named: Names["named"], { text }: Query): number {
  return named.get(keyOf(text))?.length ?? 0;
}

function keyOf(text: string): string {
  return text.trim().toLowerCase();
}

/** Goes through the tools once, one per step. */
function* collectNames({ tools, safeNames, servers }: CatalogSearchParts): Generator<undefined, Names> {
  const places = new Map<string, McpPlace>();
  for (const server of servers) {
    for (const member of server.members) {
      places.set(member.tool.entry.id, { server, member });
      yield;
    }
    for (const [path, tool] of server.special) places.set(tool.entry.id, { server, member: path });
  }
  const safeNameOf = new Map<string, string>();
  for (const [name, id] of safeNames) {
    safeNameOf.set(id, name);
    yield;
  }
  const [paths, named] = [new Map<string, string>(), new Map<string, CatalogTool[]>()];
  for (const tool of tools) {
    const { id, name } = tool.entry;
    const place = places.get(id);
    const path = place === undefined ? nativeCallPath(id, safeNameOf.get(id)) : mcpCallPath(place.server, place.member);
    paths.set(id, path);
    for (const spelling of new Set([id, name, path].map((each) => each.toLowerCase()))) {
      const list = named.get(spelling);
      if (list === undefined) named.set(spelling, [tool]);
      else list.push(tool);
    }
    yield;
  }
  return { places, paths, named };
}

function fileOf({ server, member }: McpPlace): string {
  return typeof member === "string" ? server.file : toolFilePath(server, member);
}
