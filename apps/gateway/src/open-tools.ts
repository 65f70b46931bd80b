import { CodeModeError, type CodeModeTool, type JsonObject, type ToolSet } from "@code-mode/contract";
import { connectMcpServers, type McpConnections, type McpElicit, type McpServerStatus } from "@code-mode/mcp";
import type { McpServerConfig } from "./config/config-schema.ts";
import type { GatewayConfig } from "./config/load-config.ts";
import { type CoreToolsOptions, createCoreTools } from "./core-tools/core-tools.ts";
import { ImageAgents } from "./core-tools/image-agents.ts";
import { type LoadedPlugins, loadPlugins, type NamespaceSink } from "./plugins/load-plugins.ts";
import type { PolicyScope } from "./policy/policy-levels.ts";
import type { RunRules } from "./policy/run-rules.ts";
import { ToolSets } from "./policy/tool-sets.ts";

/** Options of `openTools`. */
export type OpenToolsOptions = {
  readonly config: GatewayConfig;
  readonly namespaces?: NamespaceSink;
  /** What agent runs bring with them. Default: nothing. */
  readonly runs?: RunRules;
  /** Answers questions of MCP servers to the user. Default: servers are told that nobody can be asked. */
  readonly elicit?: McpElicit;
  /** What the core tools `message` and `session_status` reach. Default: nobody. */
  readonly corePorts?: Pick<CoreToolsOptions, "onMessage" | "sessionStatus">;
  /** Receives lines of plugins and of the stderr of MCP servers. */
  log?(source: string, message: string, facts?: JsonObject): void;
};

/** The tools of a configuration: core tools, plugins, MCP servers. Disposing ends plugins and server processes. */
export type OpenedTools = AsyncDisposable & {
  readonly plugins: LoadedPlugins;
  /** What an agent, or one of its runs, may use. */
  of(scope: PolicyScope): ToolSet;
  /** Every tool that is there now, before any rule. */
  known(): readonly CodeModeTool[];
  /** The tool with exactly this id, if the agent may use it. */
  find(id: string, scope: PolicyScope): CodeModeTool | undefined;
  /** The tool with exactly this id, before any rule; tools of clients only in their own run. */
  resolve(id: string, scope: PolicyScope): CodeModeTool | undefined;
  /** Resolves when no MCP server is starting any more, or the time is over. */
  settled(timeoutMs: number, signal?: AbortSignal): Promise<void>;
  mcpStates(): readonly McpServerStatus[];
  onChange(listener: () => void): () => void;
};

/**
 * Loads plugins and starts MCP servers in the background.
 * @throws CodeModeError `invalid_input` for a plugin that cannot be used; nothing is left running then
 */
export async function openTools(options: OpenToolsOptions): Promise<OpenedTools> {
  const { config, namespaces, runs, elicit, log } = options;
  const core = createCoreTools({
    workspace: config.workspace,
    closed: [config.gateway.dataDir],
    webFetch: { allowPrivate: config.tools.webFetch?.allowPrivate },
    ...options.corePorts,
  });
  const images = new ImageAgents(config);
  const plugins = await loadPlugins(config.plugins, {
    baseDir: config.baseDir,
    ...(namespaces === undefined ? {} : { namespaces }),
    log: (pluginId, message, facts) => log?.(`plugin ${pluginId}`, message, facts),
  }).catch((error: unknown) => {
    throw withPluginPlace(error, config);
  });
  const connections = connectMcpServers(config.mcpServers as Readonly<Record<string, RunnableServer>>, {
    onStderr: (server, line) => log?.(`mcp ${server}`, line),
    ...(elicit === undefined ? {} : { elicit }),
  });
  const fixed: readonly CodeModeTool[] = [...core, ...plugins.tools];
  const sets = new ToolSets(config, { fixed, mcp: () => connections.toolSet() }, runs);
  return {
    plugins,
    of: (scope) => images.offered(sets.of(scope), scope),
    known: () => sets.known(),
    find: (id, scope) => images.admit(sets.find(id, scope), scope),
    resolve: (id, scope) => images.admit(sets.resolve(id, scope), scope),
    settled: (timeoutMs, signal) => connections.ready({ timeoutMs, ...(signal === undefined ? {} : { signal }) }),
    mcpStates: () => connections.states(),
    onChange: (listener) => connections.onChange(listener),
    [Symbol.asyncDispose]: () => disposeAll(connections, plugins),
  };
}

/** A plugin that cannot be used is named with its place in the configuration (CONF-3). */
function withPluginPlace(error: unknown, { plugins, pluginPlaces }: GatewayConfig): unknown {
  if (!CodeModeError.is(error)) return error;
  const place = pluginPlaces[plugins.findIndex((plugin) => error.message.startsWith(`plugin ${plugin}:`))];
  return place === undefined ? error : new CodeModeError(error.code, `${place}: ${error.message}`, { cause: error });
}

/** The schema of the configuration has proven that there is a command or a url. */
type RunnableServer = Parameters<typeof connectMcpServers>[0][string] & McpServerConfig;

async function disposeAll(connections: McpConnections, plugins: LoadedPlugins): Promise<void> {
  await connections[Symbol.asyncDispose]();
  await plugins[Symbol.asyncDispose]();
}
