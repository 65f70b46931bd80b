import { dirname, resolve } from "node:path";
import { CodeModeError, type ResolvedCodeModeConfig, resolveCodeModeConfig } from "@code-mode/contract";
import { assertPaths } from "./assert-paths.ts";
import { type GatewayConfigInput, gatewayConfigSchema } from "./config-schema.ts";
import { describeConfigIssues, placeOf } from "./describe-config-issue.ts";
import { findConfig } from "./find-config.ts";
import { assertServerNames, type McpServers, readForeignServers, serversOf } from "./mcp-servers.ts";
import type { KeyPath } from "./parse-config-text.ts";
import { readConfigFile } from "./read-config-file.ts";
import type { Environment } from "./substitute-env.ts";

/** Where the configuration comes from; everything defaults to the process. */
export type LoadConfigOptions = {
  /** `--config`. */
  readonly file?: string | undefined;
  /** `--mcp-config`; its servers win over servers of the same name in the configuration. */
  readonly mcpConfigFile?: string | undefined;
  readonly cwd?: string;
  readonly env?: Environment;
};

/** The complete configuration: defaults filled in, paths absolute. */
export type GatewayConfig = {
  /** The file that was read, if any. */
  readonly file: string | undefined;
  /** Folder that relative paths of the file start from. */
  readonly baseDir: string;
  readonly workspace: string;
  readonly gateway: {
    readonly host: string;
    readonly allowedHosts: readonly string[];
    readonly port: number;
    readonly dataDir: string;
    readonly token: string | undefined;
  };
  readonly models: NonNullable<GatewayConfigInput["models"]>;
  readonly agents: NonNullable<GatewayConfigInput["agents"]>;
  readonly tools: NonNullable<GatewayConfigInput["tools"]>;
  readonly codeMode: ResolvedCodeModeConfig;
  readonly mcpServers: McpServers;
  /** What `codemode mcp` and `POST /mcp` serve beside `exec` and `wait` (MCPS-1). */
  readonly mcpServer: { readonly directTools: readonly string[] };
  readonly plugins: readonly string[];
  /** Where each plugin stands: file, line and key. Empty for a configuration that was built in code. */
  readonly pluginPlaces: readonly string[];
};

/**
 * Finds, reads and validates the configuration (CONF-1, CONF-2, CONF-3).
 * @throws CodeModeError `invalid_input` naming file, line, key path and the nearest valid key
 */
export function loadConfig(options: LoadConfigOptions = {}): GatewayConfig {
  const cwd = options.cwd ?? process.cwd();
  const env = options.env ?? process.env;
  const file = findConfig({ explicit: options.file, cwd, env });
  const baseDir = file === undefined ? cwd : dirname(file);
  const { input, places } = file === undefined ? { input: {}, places: [] } : parseFile(file, { env, baseDir });
  const config = { ...resolveConfig(input, { file, baseDir }), pluginPlaces: places };
  if (options.mcpConfigFile === undefined) return config;
  const foreign = readForeignServers(resolve(cwd, options.mcpConfigFile), env);
  return { ...config, mcpServers: { ...config.mcpServers, ...foreign } };
}

/** Fills in defaults and makes paths absolute; for hosts that build their configuration in code. */
export function resolveConfig(
  input: GatewayConfigInput,
  { file, baseDir }: { readonly file?: string | undefined; readonly baseDir: string },
): GatewayConfig {
  const gateway = input.gateway ?? {};
  const tools = input.tools ?? {};
  const from = file === undefined ? "" : `${file}: `;
  const codeMode = resolveCodeModeConfig(tools.codeMode, { path: `${from}tools.codeMode` });
  for (const [id, agent] of Object.entries(input.agents ?? {}))
    resolveCodeModeConfig(tools.codeMode, {
      override: agent.tools?.codeMode,
      overridePath: `${from}agents.${id}.tools.codeMode`,
    });
  return {
    file,
    baseDir,
    workspace: resolve(baseDir, input.workspace ?? "."),
    gateway: {
      host: gateway.host ?? "127.0.0.1",
      allowedHosts: gateway.allowedHosts ?? [],
      port: gateway.port ?? 18_790,
      dataDir: resolve(baseDir, gateway.dataDir ?? ".codemode"),
      token: gateway.auth?.token,
    },
    models: input.models ?? {},
    agents: input.agents ?? {},
    tools,
    codeMode,
    mcpServers: serversOf(input, baseDir, file ?? "the configuration"),
    mcpServer: { directTools: input.mcpServer?.directTools ?? [] },
    plugins: input.plugins ?? [],
    pluginPlaces: [],
  };
}

type ParsedFile = { readonly input: GatewayConfigInput; readonly places: readonly string[] };

function parseFile(file: string, { env, baseDir }: { env: Environment; baseDir: string }): ParsedFile {
  const { text, value } = readConfigFile(file, env);
  assertServerNames(value, file, text);
  const parsed = gatewayConfigSchema.safeParse(value);
  if (!parsed.success) throw new CodeModeError("invalid_input", describeConfigIssues(parsed.error.issues, file, text));
  const input = parsed.data;
  const place = (path: KeyPath): string => placeOf(file, text, path);
  assertPaths(input, { baseDir, place });
  return { input, places: (input.plugins ?? []).map((_, index) => place(["plugins", index])) };
}
