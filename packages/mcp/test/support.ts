import { existsSync, mkdtempSync, readFileSync, rmSync, watch } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CodeModeTool, JsonValue, ToolContext } from "@code-mode/contract";
import { onTestFinished } from "vitest";
import {
  type ConnectMcpServersOptions,
  connectMcpServers,
  type McpConnections,
  type McpServerConfig,
  type McpStdioServerConfig,
} from "../src/index.ts";

const require = createRequire(import.meta.url);

/** Path of a file beside the tests. */
export function fixture(name: string): string {
  return fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));
}

/** A real MCP server from npm, started by the Node that runs the tests. */
export function npmServer(name: string, ...args: string[]): McpStdioServerConfig {
  const entry = join(dirname(require.resolve(`@modelcontextprotocol/${name}/package.json`)), "dist/index.js");
  return { command: process.execPath, args: [entry, ...args] };
}

/** Our fixture that does what servers should not do. */
export function misbehaving(...modes: string[]): McpStdioServerConfig {
  return { command: process.execPath, args: [fixture("misbehaving-server.mjs"), ...modes] };
}

/** A folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "code-mode-mcp-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Connections that end with the test. */
export function connect(
  servers: Record<string, McpServerConfig>,
  options: ConnectMcpServersOptions = {},
): McpConnections {
  const connections = connectMcpServers(servers, { reconnectDelayMs: 1, ...options });
  onTestFinished(() => connections[Symbol.asyncDispose]());
  return connections;
}

/** Connections of which every server has started or failed. */
export async function connected(
  servers: Record<string, McpServerConfig>,
  options: ConnectMcpServersOptions = {},
): Promise<McpConnections> {
  const connections = connect(servers, options);
  await connections.ready();
  return connections;
}

/** Resolves at the first change after which `condition` holds, or at once. */
export function changed(connections: McpConnections, condition: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    if (condition()) return resolve();
    const stop = connections.onChange(() => {
      if (!condition()) return;
      stop();
      resolve();
    });
  });
}

/** Resolves once a file holds a text. */
export function fileHolds(file: string, text: string): Promise<void> {
  return new Promise((resolve) => {
    const check = (): void => {
      if (!existsSync(file) || !readFileSync(file, "utf8").includes(text)) return;
      watcher.close();
      resolve();
    };
    const watcher = watch(dirname(file), (_event, name) => {
      if (name === null || name === basename(file)) check();
    });
    check();
  });
}

/** The tool of a server. */
export function findTool(connections: McpConnections, server: string, name: string): CodeModeTool {
  const tool = connections.toolSet().tools.find((candidate) => {
    return candidate.origin?.kind === "mcp" && candidate.origin.server === server && candidate.name === name;
  });
  if (tool === undefined) throw new Error(`no tool ${name} of ${server}`);
  return tool;
}

/** Names of the tools of a server. */
export function toolNames(connections: McpConnections, server: string): string[] {
  return connections
    .toolSet()
    .tools.filter((tool) => tool.origin?.kind === "mcp" && tool.origin.server === server)
    .map((tool) => tool.name);
}

/** Any MCP result, for assertions. */
export type Result = {
  content?: Record<string, unknown>[];
  structuredContent?: unknown;
  isError?: boolean;
  [key: string]: unknown;
};

/** Calls a tool as the executor does. */
export async function call(
  connections: McpConnections,
  path: `${string}/${string}`,
  input: JsonValue = {},
  context: { signal?: AbortSignal; onUpdate?: (partial: unknown) => void } = {},
): Promise<Result> {
  const [server = "", name = ""] = path.split("/");
  const full: ToolContext = {
    agentId: "main",
    sessionId: "session",
    sessionKey: "key",
    agentRunId: "run",
    runId: "run",
    toolCallId: "call",
    signal: context.signal ?? new AbortController().signal,
    onUpdate: context.onUpdate ?? (() => undefined),
    log: () => undefined,
  };
  return (await findTool(connections, server, name).execute(input, full)) as Result;
}

/** True while a process with this id exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Collects what servers write to stderr. */
export function serverLog(): { readonly all: string[]; write(server: string, line: string): void } {
  const all: string[] = [];
  return { all, write: (server, line) => void all.push(`${server}: ${line}`) };
}
