import { dirname, resolve } from "node:path";
import {
  type CodeModeConfig,
  CodeModeError,
  type ResolvedCodeModeConfig,
  resolveCodeModeConfig,
} from "@code-mode/contract";
import { type GatewayConfigInput, gatewayConfigSchema } from "./config-schema.ts";
import { describeConfigIssues } from "./describe-config-issue.ts";
import { findConfig } from "./find-config.ts";
import { type McpServers, readForeignServers, serversOf } from "./mcp-servers.ts";
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
};

/**
 * Finds, reads and validates the configuration (CONF-1, CONF-2, CONF-3).
 * @throws CodeModeError `invalid_input` naming file, line, key path and the nearest valid key
 */
export function loadConfig(options: LoadConfigOptions = {}): GatewayConfig {
  const cwd = options.cwd ?? process.cwd();
  const env = options.env ?? process.env;
  const file = findConfig({ explicit: options.file, cwd, env });
  const input = file === undefined ? {} : parseFile(file, env);
  const config = resolveConfig(input, { file, baseDir: file === undefined ? cwd : dirname(file) });
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
    assertAgentCodeMode(tools.codeMode, agent.tools?.codeMode, `${from}agents.${id}.tools.codeMode`);
  return {
    file,
    baseDir,
    workspace: resolve(baseDir, input.workspace ?? "."),
    gateway: {
      host: gateway.host ?? "127.0.0.1",
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
  };
}

/** All agents share one pool of workers with one set of limits, so an agent can only switch code mode on or off yet. */
function assertAgentCodeMode(base: CodeModeConfig, override: CodeModeConfig, path: string): void {
  resolveCodeModeConfig(base, { override, overridePath: path });
  const other = typeof override === "object" ? Object.keys(override).find((key) => key !== "enabled") : undefined;
  if (other === undefined) return;
  throw new CodeModeError(
    "invalid_input",
    `${path}.${other}: an agent can set only enabled in this version. Set tools.codeMode.${other} for all agents.`,
  );
}

function parseFile(file: string, env: Environment): GatewayConfigInput {
  const { text, value } = readConfigFile(file, env);
  const parsed = gatewayConfigSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new CodeModeError("invalid_input", describeConfigIssues(parsed.error.issues, file, text));
}
