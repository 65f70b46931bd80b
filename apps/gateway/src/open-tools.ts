import type { CodeModeTool, JsonObject, RunScope, ToolSet } from "@code-mode/contract";
import { connectMcpServers, type McpConnections, type McpServerStatus } from "@code-mode/mcp";
import type { McpServerConfig } from "./config/config-schema.ts";
import type { GatewayConfig } from "./config/load-config.ts";
import { createCoreTools } from "./core-tools/core-tools.ts";
import { type LoadedPlugins, loadPlugins, type NamespaceSink } from "./plugins/load-plugins.ts";
import { ToolSets } from "./policy/tool-sets.ts";

/** Options of `openTools`. */
export type OpenToolsOptions = {
  readonly config: GatewayConfig;
  readonly namespaces?: NamespaceSink;
  /** Receives lines of plugins and of the stderr of MCP servers. */
  log?(source: string, message: string, facts?: JsonObject): void;
};

/** The tools of a configuration: core tools, plugins, MCP servers. Disposing ends plugins and server processes. */
export type OpenedTools = AsyncDisposable & {
  readonly plugins: LoadedPlugins;
  /** What an agent may use. */
  of(scope: Pick<RunScope, "agentId">): ToolSet;
  /** Every tool that is there now, before any rule. */
  known(): readonly CodeModeTool[];
  /** The tool with exactly this id, if the agent may use it. */
  find(id: string, scope: Pick<RunScope, "agentId">): CodeModeTool | undefined;
  /** Resolves when no MCP server is starting any more, or the time is over. */
  settled(timeoutMs: number, signal?: AbortSignal): Promise<void>;
  mcpStates(): readonly McpServerStatus[];
  onChange(listener: () => void): () => void;
};

/**
 * Loads plugins and starts MCP servers in the background.
 * @throws CodeModeError `invalid_input` for a plugin that cannot be used; nothing is left running then
 */
export async function openTools({ config, namespaces, log }: OpenToolsOptions): Promise<OpenedTools> {
  const plugins = await loadPlugins(config.plugins, {
    baseDir: config.baseDir,
    ...(namespaces === undefined ? {} : { namespaces }),
    log: (pluginId, message, facts) => log?.(`plugin ${pluginId}`, message, facts),
  });
  const connections = connectMcpServers(config.mcpServers as Readonly<Record<string, RunnableServer>>, {
    onStderr: (server, line) => log?.(`mcp ${server}`, line),
  });
  const fixed: readonly CodeModeTool[] = [...createCoreTools(config.workspace), ...plugins.tools];
  const sets = new ToolSets(config, { fixed, mcp: () => connections.toolSet() });
  return {
    plugins,
    of: (scope) => sets.of(scope),
    known: () => sets.known(),
    find: (id, scope) => sets.find(id, scope),
    settled: (timeoutMs, signal) => connections.ready({ timeoutMs, ...(signal === undefined ? {} : { signal }) }),
    mcpStates: () => connections.states(),
    onChange: (listener) => connections.onChange(listener),
    [Symbol.asyncDispose]: () => disposeAll(connections, plugins),
  };
}

/** The schema of the configuration has proven that there is a command or a url. */
type RunnableServer = Parameters<typeof connectMcpServers>[0][string] & McpServerConfig;

async function disposeAll(connections: McpConnections, plugins: LoadedPlugins): Promise<void> {
  await connections[Symbol.asyncDispose]();
  await plugins[Symbol.asyncDispose]();
}
