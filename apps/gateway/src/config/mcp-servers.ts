import { dirname, resolve } from "node:path";
import { CodeModeError } from "@code-mode/contract";
import { z } from "zod";
import { type GatewayConfigInput, type McpServerConfig, mcpServerSchema } from "./config-schema.ts";
import { describeConfigIssues } from "./describe-config-issue.ts";
import { readConfigFile } from "./read-config-file.ts";
import type { Environment } from "./substitute-env.ts";

/** MCP servers by name, disabled ones left out, working folders absolute. */
export type McpServers = Readonly<Record<string, McpServerConfig>>;

/** A file of another client: its servers count, keys that only that client knows do not. */
const foreignSchema = z.object({
  mcpServers: z.record(z.string(), z.looseObject({})),
});

/**
 * The servers of the configuration: `mcp.servers` and `mcpServers` together.
 * @throws CodeModeError `invalid_input` when one name stands in both
 */
export function serversOf(config: GatewayConfigInput, baseDir: string, file: string): McpServers {
  const own = config.mcp?.servers ?? {};
  const common = config.mcpServers ?? {};
  const twice = Object.keys(own).find((name) => Object.hasOwn(common, name));
  if (twice !== undefined)
    throw new CodeModeError(
      "invalid_input",
      `${file}: the MCP server ${twice} stands in mcp.servers and in mcpServers. Keep one of the two.`,
    );
  return enabled({ ...own, ...common }, baseDir);
}

/**
 * The servers of a file in the `mcpServers` format of other clients (CONF-2).
 * @throws CodeModeError `invalid_input` naming file, line and key
 */
export function readForeignServers(file: string, env: Environment): McpServers {
  const { text, value } = readConfigFile(file, env);
  const parsed = foreignSchema.safeParse(value);
  if (!parsed.success) throw new CodeModeError("invalid_input", describeConfigIssues(parsed.error.issues, file, text));
  const known = new Set(Object.keys(mcpServerSchema.shape));
  const servers = Object.entries(parsed.data.mcpServers).map(([name, entry]) => {
    const kept = Object.fromEntries(Object.entries(entry).filter(([key]) => known.has(key)));
    const server = mcpServerSchema.safeParse(kept);
    if (server.success) return [name, server.data] as const;
    const issues = server.error.issues.map((issue) => ({ ...issue, path: ["mcpServers", name, ...issue.path] }));
    throw new CodeModeError("invalid_input", describeConfigIssues(issues, file, text));
  });
  return enabled(Object.fromEntries(servers), dirname(file));
}

function enabled(servers: Record<string, McpServerConfig>, baseDir: string): McpServers {
  const kept = Object.entries(servers).filter(([, server]) => server.disabled !== true);
  return Object.fromEntries(
    kept.map(([name, server]) => [
      name,
      server.command === undefined ? server : { ...server, cwd: resolve(baseDir, server.cwd ?? ".") },
    ]),
  );
}
