import { dirname, resolve } from "node:path";
import { CodeModeError } from "@code-mode/contract";
import { z } from "zod";
import { type GatewayConfigInput, type McpServerConfig, mcpServerSchema } from "./config-schema.ts";
import { describeConfigIssues, placeOf } from "./describe-config-issue.ts";
import { misspelledKey, translateForeign } from "./foreign-server.ts";
import type { KeyPath, ParsedText } from "./parse-config-text.ts";
import { readConfigFile } from "./read-config-file.ts";
import type { Environment } from "./substitute-env.ts";

/** MCP servers by name, disabled ones left out, working folders absolute. */
export type McpServers = Readonly<Record<string, McpServerConfig>>;

/** A file of another client: its servers count, keys that only that client knows do not. */
const foreignSchema = z.object({
  mcpServers: z.record(z.string(), z.looseObject({})),
});

/** Where a file may hold servers. */
const serverPaths: readonly KeyPath[] = [["mcp", "servers"], ["mcpServers"], ["servers"]];

/**
 * The servers of the configuration: `mcp.servers` and `mcpServers` together.
 * @throws CodeModeError `invalid_input` when one name stands in both
 */
export function serversOf(config: GatewayConfigInput, baseDir: string, file: string): McpServers {
  const own = config.mcp?.servers ?? {};
  const common = config.mcpServers ?? {};
  const bad = [...Object.keys(own), ...Object.keys(common)].find(isBadName);
  if (bad !== undefined) throw new CodeModeError("invalid_input", `${file}: ${badNameText(bad)}`);
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
  assertServerNames(value, file, text);
  // VS Code calls the same thing `servers`
  const vsCode =
    isRecord(value) && value.mcpServers === undefined && isRecord(value.servers) ? value.servers : undefined;
  const key = vsCode === undefined ? "mcpServers" : "servers";
  const parsed = foreignSchema.safeParse(vsCode === undefined ? value : { mcpServers: vsCode });
  if (!parsed.success) throw new CodeModeError("invalid_input", describeConfigIssues(parsed.error.issues, file, text));
  const servers = Object.entries(parsed.data.mcpServers).map(
    ([name, entry]) => [name, readForeignServer(entry, { path: [key, name], file, text })] as const,
  );
  return enabled(Object.fromEntries(servers), dirname(file));
}

/**
 * Refuses names that no server can have, before a parser loses them.
 * @throws CodeModeError `invalid_input` naming file, line and path
 */
export function assertServerNames(value: unknown, file: string, text: ParsedText): void {
  for (const path of serverPaths) {
    const servers = path.reduce<unknown>((at, key) => (isRecord(at) ? at[key] : undefined), value);
    const bad = isRecord(servers) ? Object.keys(servers).find(isBadName) : undefined;
    if (bad === undefined) continue;
    throw new CodeModeError("invalid_input", `${placeOf(file, text, [...path, bad])}: ${badNameText(bad)}`);
  }
}

type Place = { readonly path: KeyPath; readonly file: string; readonly text: ParsedText };

function readForeignServer(entry: Readonly<Record<string, unknown>>, { path, file, text }: Place): McpServerConfig {
  const ours = Object.keys(mcpServerSchema.shape);
  const translated = Object.entries(translateForeign(entry));
  for (const [key] of translated) {
    const near = ours.includes(key) ? undefined : misspelledKey(key, ours);
    if (near === undefined) continue;
    throw new CodeModeError(
      "invalid_input",
      `${placeOf(file, text, [...path, key])}: unknown key. Did you mean ${near}? Known keys: ${ours.join(", ")}.`,
    );
  }
  const server = mcpServerSchema.safeParse(Object.fromEntries(translated.filter(([key]) => ours.includes(key))));
  if (server.success) return server.data;
  const issues = server.error.issues.map((issue) => ({ ...issue, path: [...path, ...issue.path] }));
  throw new CodeModeError("invalid_input", describeConfigIssues(issues, file, text));
}

/** An empty name gives no callable path, and `__proto__` is lost on the way through plain objects. */
function isBadName(name: string): boolean {
  return name.trim() === "" || name === "__proto__";
}

function badNameText(name: string): string {
  return `an MCP server cannot be named ${JSON.stringify(name)}. Give it a name with letters or digits.`;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
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
