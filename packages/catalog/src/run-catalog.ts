import { createHash } from "node:crypto";
import {
  type ApiFile,
  type ApiSearchEntry,
  type Catalog,
  type CatalogEntry,
  type CatalogEntryWithSchema,
  type CatalogTool,
  CodeModeError,
  describeFound,
  type McpApiHeader,
  type ToolSet,
  type UnavailableServer,
} from "@code-mode/contract";
import { cataloguedTools } from "./catalogued-tools.ts";
import { guestData } from "./guest-data.ts";
import { mcpApiHeader } from "./mcp-api.ts";
import { groupMcpServers, type McpServer } from "./mcp-servers.ts";
import { ToolResolver } from "./resolve-tool.ts";
import { assignSafeNames } from "./safe-names.ts";
import { CatalogSearch } from "./search/catalog-search.ts";
import type { SearchEngine } from "./search/search-engine.ts";
import { unavailableServers } from "./unavailable-servers.ts";
import { VirtualFiles } from "./virtual-files.ts";

/** The catalog of one tool set. Names and ids are settled at once; search index and declarations when first asked for. */
export class RunCatalog implements Catalog {
  readonly hash: string;
  readonly sources: { readonly openclaw: number; readonly mcp: number; readonly client: number };
  readonly guestText: string;
  readonly tools: readonly CatalogTool[];
  readonly unavailableServers: readonly UnavailableServer[];
  readonly #byId: ReadonlyMap<string, CatalogTool>;
  readonly #servers: readonly McpServer[];
  readonly #resolver: ToolResolver;
  readonly #search: CatalogSearch;
  readonly #files: VirtualFiles;

  constructor(toolSet: ToolSet, engine: SearchEngine) {
    this.tools = Object.freeze(cataloguedTools(toolSet.tools));
    const native = this.tools.filter(({ entry }) => entry.source !== "mcp");
    const safeNames = assignSafeNames(native);
    this.#byId = new Map(this.tools.map((tool) => [tool.entry.id, tool]));
    this.#servers = groupMcpServers(this.tools, toolSet.mcpServers ?? []);
    this.unavailableServers = Object.freeze(unavailableServers(this.#servers));
    this.guestText = JSON.stringify(
      guestData({ allTools: native.map(({ entry }) => entry), safeNames, servers: this.#servers }),
    );
    this.hash = createHash("sha256").update(this.guestText).digest("hex");
    this.sources = Object.freeze({
      openclaw: this.#count("openclaw"),
      mcp: this.#count("mcp"),
      client: this.#count("client"),
    });
    this.#resolver = new ToolResolver(this.#byId, safeNames, this.#servers);
    this.#search = new CatalogSearch({ tools: this.tools, safeNames, servers: this.#servers, engine });
    this.#files = new VirtualFiles(this.#servers);
  }

  get(id: string): CatalogTool | undefined {
    return this.#byId.get(id);
  }

  resolveNative(idOrName: string): CatalogTool {
    return this.#resolver.resolve(idOrName);
  }

  search(query: string, limit: number): CatalogEntry[] {
    return this.#search.nativeNow(assertQuery(query), limit);
  }

  async searchSoon(query: string, limit: number): Promise<CatalogEntry[]> {
    return this.#search.native(assertQuery(query), limit);
  }

  describe(idOrName: string): CatalogEntryWithSchema {
    const { entry, tool } = this.#resolver.resolve(idOrName);
    const outputSchema = tool.outputSchema === undefined ? {} : { outputSchema: tool.outputSchema };
    return { ...entry, parameters: tool.parameters ?? { type: "object" }, ...outputSchema };
  }

  searchApi(query: string, limit: number, only?: "mcp"): ApiSearchEntry[] {
    return this.#search.apiNow(assertQuery(query), limit, only);
  }

  async searchApiSoon(query: string, limit: number, only?: "mcp"): Promise<ApiSearchEntry[]> {
    return this.#search.api(assertQuery(query), limit, only);
  }

  listApi(prefix?: string): ApiFile[] {
    return this.#files.list(prefix);
  }

  readApi(path: string): string {
    return this.#files.read(path);
  }

  mcpApi(server: string, toolName?: string, options: { schema?: boolean } = {}): McpApiHeader {
    return mcpApiHeader({ server, toolName, schema: options.schema }, this.#servers, this.#files);
  }

  #count(source: CatalogEntry["source"]): number {
    return this.tools.filter(({ entry }) => entry.source === source).length;
  }
}

/** Queries come from guest programs, so their type is checked here. */
function assertQuery(query: unknown): string {
  if (typeof query === "string") return query;
  throw new CodeModeError("tool_error", `a search takes the query as a string, not ${describeFound(query)}.`);
}
