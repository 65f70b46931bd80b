import type { CodeModeTool, RunScope, ToolOrigin } from "@code-mode/contract";
import { expect, it } from "vitest";
import { type GatewayConfigInput, gatewayConfigSchema } from "../../src/config/config-schema.ts";
import { type GatewayConfig, resolveConfig } from "../../src/config/load-config.ts";
import { explainTools } from "../../src/explain/explain-tools.ts";
import { isSandboxed, serversBehindGate } from "../../src/policy/sandbox-gate.ts";
import { ToolSets } from "../../src/policy/tool-sets.ts";

function tool(name: string, origin: ToolOrigin): CodeModeTool {
  return { name, description: "", execute: () => null, origin };
}

const known = [
  tool("read", { kind: "core" }),
  tool("exec", { kind: "core" }),
  tool("count", { kind: "plugin", pluginId: "sample" }),
  tool("open", { kind: "mcp", server: "files" }),
  tool("list", { kind: "mcp", server: "mail" }),
];
const main: RunScope = { agentId: "main", sessionId: "main", sessionKey: "main:main", agentRunId: "r" };

function configOf(
  mode: "off" | "non-main" | "all" | undefined,
  tools: GatewayConfigInput["tools"] = {},
): GatewayConfig {
  const sandbox = mode === undefined ? {} : { sandbox: { mode } };
  const input = gatewayConfigSchema.parse({ agents: { main: sandbox, helper: sandbox }, tools });
  return resolveConfig(input, { baseDir: "/" });
}

function namesIn(config: GatewayConfig, scope: RunScope = main): string[] {
  const mcp = { tools: known.slice(3), mcpServers: [{ name: "files", state: "ready" as const }] };
  return new ToolSets(config, { fixed: known.slice(0, 3), mcp: () => mcp }).of(scope).tools.map(({ name }) => name);
}

const sandboxTools = (tools: object): GatewayConfigInput["tools"] => ({ sandbox: { tools } });

it.each([
  ["unset: core and plugin tools, not those of MCP servers", {}, ["read", "exec", "count"]],
  ["alsoAllow widens the default", { alsoAllow: ["bundle-mcp"] }, ["read", "exec", "count", "open", "list"]],
  ["alsoAllow takes one server too", { alsoAllow: ["mcp:mail:*"] }, ["read", "exec", "count", "list"]],
  ["allow replaces the default", { allow: ["read"] }, ["read"]],
  ["alsoAllow widens allow", { allow: ["read"], alsoAllow: ["count"] }, ["read", "count"]],
  ["deny wins over both", { alsoAllow: ["bundle-mcp"], deny: ["exec", "mcp:files:*"] }, ["read", "count", "list"]],
  ["an empty allow admits nothing", { allow: [] }, []],
])("POL-2 a sandboxed session is filtered again by tools.sandbox.tools: %s", (_what, tools, names) => {
  expect(namesIn(configOf("all", sandboxTools(tools)))).toEqual(names);
});

it("POL-2 alsoAllow widens this gate only: what another level denies stays denied", () => {
  const config = configOf("all", { ...sandboxTools({ alsoAllow: ["bundle-mcp"] }), deny: ["mcp:files:*"] });
  expect(namesIn(config)).toEqual(["read", "exec", "count", "list"]);
});

it("POL-2 the sandbox's rules do not touch sessions that are not sandboxed", () => {
  for (const mode of [undefined, "off", "non-main"] as const)
    expect(namesIn(configOf(mode, sandboxTools({ allow: [] })))).toEqual(known.map(({ name }) => name));
});

it.each([
  ["session main of agent main", main, false],
  ["a program of codemode exec", { ...main, sessionId: "x", sessionKey: "cli:x" }, false],
  ["another session of agent main", { ...main, sessionId: "work", sessionKey: "main:work" }, true],
  ["an MCP client", { ...main, sessionId: "mcp_1", sessionKey: "mcp:mcp_1" }, true],
  ["session main of another agent", { ...main, agentId: "helper", sessionKey: "helper:main" }, true],
])("POL-2 non-main: %s", (_what, scope, sandboxed) => {
  expect(isSandboxed(configOf("non-main"), scope)).toBe(sandboxed);
});

it("POL-2 explain and doctor name the gate when it hides a configured server, ready or not", () => {
  const config = configOf("all");
  const server = (name: string) => ({ name, state: "ready" as const, tools: 1, problems: [], changes: [] });
  const servers = [server("files"), server("mail"), { ...server("dead"), state: "failed" as const, tools: 0 }];
  const rows = explainTools({ config, agentId: "main", known, servers });
  const row = rows.find(({ id }) => id === "mcp:files:open");
  expect(row).toMatchObject({
    state: "denied",
    deniedBy: { level: "sandbox", key: "tools.sandbox.tools.allow" },
    reason: expect.stringContaining('tools.sandbox.tools.alsoAllow: ["bundle-mcp"]'),
  });
  expect(rows.filter(({ id }) => id === "mcp:dead:*").map(({ reason }) => reason)).toEqual([
    "MCP server dead failed",
    expect.stringContaining("the sandbox gate (tools.sandbox.tools) of agent main hides MCP server dead"),
  ]);
  const hidden = (tools: object): string[] => {
    const names = servers.map(({ name }) => name);
    return [...serversBehindGate(configOf("all", sandboxTools(tools)), main, { known, servers: names }).keys()];
  };
  expect(hidden({})).toEqual(["files", "mail", "dead"]);
  expect(hidden({ alsoAllow: ["list"] })).toEqual(["files", "dead"]);
  expect(hidden({ alsoAllow: ["bundle-mcp"] })).toEqual([]);
});
