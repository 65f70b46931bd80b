import { type CatalogTool, CodeModeError, describeFound } from "@code-mode/contract";
import { mcpCallPath } from "./call-path.ts";
import type { McpServer } from "./mcp-servers.ts";
import { nearestOf, suggestion } from "./nearest-names.ts";

/** Most callable expressions or ids that one message names. */
const maxNamed = 3;
/** A longer wrong name is cut in messages. */
const maxEchoed = 120;

/** Finds native tools by id or unambiguous name, and says in every refusal what to write instead (GUEST-3). */
export class ToolResolver {
  readonly #byId: ReadonlyMap<string, CatalogTool>;
  readonly #safeNames: ReadonlyMap<string, string>;
  readonly #servers: readonly McpServer[];
  #named: Map<string, CatalogTool[]> | undefined;

  constructor(
    byId: ReadonlyMap<string, CatalogTool>,
    safeNames: ReadonlyMap<string, string>,
    servers: readonly McpServer[],
  ) {
    this.#byId = byId;
    this.#safeNames = safeNames;
    this.#servers = servers;
  }

  /**
   * The native tool of this id, name or convenience name.
   * @throws CodeModeError `tool_error` when it is unknown, ambiguous or an MCP tool
   */
  resolve(wanted: unknown): CatalogTool {
    if (typeof wanted !== "string")
      throw new CodeModeError("tool_error", `a tool id must be a string, not ${describeFound(wanted)}.`);
    const exact = this.#byId.get(wanted);
    if (exact !== undefined && exact.entry.source !== "mcp") return exact;
    const named = this.#nativeByName().get(wanted) ?? [];
    const safe = this.#byId.get(this.#safeNames.get(wanted) ?? "");
    const found = named.length === 1 ? named[0] : named.length === 0 ? safe : undefined;
    if (found !== undefined) return found;
    if (named.length > 1) throw ambiguous(wanted, named);
    throw this.#mcpTool(wanted) ?? this.#unknown(wanted);
  }

  #nativeByName(): Map<string, CatalogTool[]> {
    if (this.#named !== undefined) return this.#named;
    const named = new Map<string, CatalogTool[]>();
    for (const tool of this.#byId.values()) {
      if (tool.entry.source === "mcp") continue;
      const list = named.get(tool.entry.name);
      if (list === undefined) named.set(tool.entry.name, [tool]);
      else list.push(tool);
    }
    this.#named = named;
    return named;
  }

  #mcpTool(wanted: string): CodeModeError | undefined {
    const paths: string[] = [];
    for (const server of this.#servers) {
      for (const member of server.members) if (matches(member.tool, wanted)) paths.push(mcpCallPath(server, member));
      for (const [path, tool] of server.special) if (matches(tool, wanted)) paths.push(mcpCallPath(server, path));
    }
    if (paths.length === 0) return undefined;
    const shown = paths.slice(0, maxNamed).map((path) => `${path}({…})`);
    return new CodeModeError(
      "tool_error",
      `${quote(wanted)} is an MCP tool, which tools.* does not serve: call ${shown.join(" or ")}.`,
      { details: { path: paths[0] ?? "" } },
    );
  }

  #unknown(wanted: string): CodeModeError {
    const near = [
      ...new Set([...nearestOf(wanted, this.#nativeByName().keys()), ...nearestOf(wanted, this.#nativeIds())]),
    ].slice(0, maxNamed);
    const message = `there is no tool with the id or name ${quote(wanted)}.${suggestion(near)} Find tools with tools.search(query) or API.search(query).`;
    return new CodeModeError("tool_error", message, { details: { nearest: near } });
  }

  *#nativeIds(): Generator<string> {
    for (const { entry } of this.#byId.values()) if (entry.source !== "mcp") yield entry.id;
  }
}

function matches({ entry }: CatalogTool, wanted: string): boolean {
  return entry.id === wanted || entry.name === wanted;
}

function ambiguous(wanted: string, tools: readonly CatalogTool[]): CodeModeError {
  const ids = tools.map(({ entry }) => entry.id);
  const shown = ids.slice(0, maxNamed).map((id) => `tools.call(${JSON.stringify(id)}, input)`);
  return new CodeModeError(
    "tool_error",
    `${quote(wanted)} is the name of ${ids.length} tools; use an id: ${shown.join(" or ")}.`,
    { details: { ids } },
  );
}

function quote(wanted: string): string {
  return JSON.stringify(wanted.length > maxEchoed ? `${wanted.slice(0, maxEchoed)}…` : wanted);
}
