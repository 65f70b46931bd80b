import type { CodeModeTool, ToolOrigin } from "@code-mode/contract";
import type { McpServerStatus } from "@code-mode/mcp";
import { expect, it } from "vitest";
import type { GatewayConfigInput } from "../../src/config/config-schema.ts";
import { resolveConfig } from "../../src/config/load-config.ts";
import { explainTools, type ToolExplanation } from "../../src/explain/explain-tools.ts";

const plugin = (pluginId: string): ToolOrigin => ({ kind: "plugin", pluginId });
const mcp = (server: string): ToolOrigin => ({ kind: "mcp", server });

function tool(name: string, origin: ToolOrigin, extra: Partial<CodeModeTool> = {}): CodeModeTool {
  return { name, description: "", origin, execute: () => null, ...extra };
}

function explain(
  known: readonly CodeModeTool[],
  config: GatewayConfigInput = {},
  servers: readonly McpServerStatus[] = [],
): readonly ToolExplanation[] {
  return explainTools({ config: resolveConfig(config, { baseDir: "/" }), agentId: "main", known, servers });
}

it("CLI-6 a visible tool is explained by the expression that calls it", () => {
  const rows = explain([
    tool("read", { kind: "core" }),
    tool("list-issues", plugin("p")),
    tool("create_issue", mcp("git-hub")),
    tool("resources.read", { kind: "mcp", server: "git-hub", member: "resources.read" }),
  ]);
  expect(rows.map(({ state, call }) => [state, call])).toEqual([
    ["visible", "tools.read"],
    ["visible", "tools.list_issues"],
    ["visible", "MCP.gitHub.createIssue"],
    ["visible", "MCP.gitHub.resources.read"],
  ]);
});

it("POL-1 rules of channel, sender and session are explained for whom they hold", () => {
  const config = resolveConfig(
    {
      tools: {
        channels: { mail: { deny: ["a"] } },
        senders: { ada: { deny: ["b"] } },
        sessions: { s1: { allow: ["b"] } },
      },
    },
    { baseDir: "/" },
  );
  const known = [tool("a", plugin("p")), tool("b", plugin("p"))];
  const explained = (scope: object): unknown[] =>
    explainTools({ config, agentId: "main", scope, known, servers: [] }).map(({ reason }) => reason);
  expect(explained({})).toEqual([undefined, undefined]);
  expect(explained({ channel: "mail", sender: "ada" })).toEqual([
    'tools.channels.mail.deny: "a"',
    'tools.senders.ada.deny: "b"',
  ]);
  expect(explained({ sessionId: "s1" })).toEqual(["no rule of tools.sessions.s1.allow admits it", undefined]);
});

it("CLI-6 a denied tool names the key and the rule, of everybody or of the agent", () => {
  const known = [tool("read", { kind: "core" }), tool("a", mcp("s")), tool("b", plugin("p")), tool("c", plugin("q"))];
  const rows = explain(known, {
    tools: { allow: ["group:core", "mcp:*", "openclaw:p:*"], deny: ["mcp:s:*"] },
    agents: { main: { tools: { deny: ["group:fs"] } } },
  });
  expect(rows.map(({ state, deniedBy, reason }) => [state, deniedBy, reason])).toEqual([
    [
      "denied",
      { level: "agent", key: "agents.main.tools.deny", rule: "group:fs" },
      'agents.main.tools.deny: "group:fs"',
    ],
    ["denied", { level: "global", key: "tools.deny", rule: "mcp:s:*" }, 'tools.deny: "mcp:s:*"'],
    ["visible", undefined, undefined],
    ["denied", { level: "global", key: "tools.allow" }, "no rule of tools.allow admits it"],
  ]);
});

it("CAT-5 tools of one safe name are visible by id, and each says which other took its convenience function", () => {
  const rows = explain([tool("get-it", plugin("p")), tool("get_it", plugin("q")), tool("search", plugin("q"))]);
  expect(rows.map(({ call, reason }) => [call, reason])).toEqual([
    [
      'tools.call("openclaw:p:get-it", input)',
      "no convenience function: it shares the name get_it with openclaw:q:get_it",
    ],
    [
      'tools.call("openclaw:q:get_it", input)',
      "no convenience function: it shares the name get_it with openclaw:p:get-it",
    ],
    ['tools.call("openclaw:q:search", input)', "no convenience function: search is reserved"],
  ]);
});

it("CLI-6 a direct-only tool says whether MCP clients see it, a control of Tool Search why it is unavailable", () => {
  const known = [
    tool("computer", plugin("p"), { catalogMode: "direct-only" }),
    tool("camera", plugin("p"), { catalogMode: "direct-only" }),
    tool("tool_search", { kind: "core" }),
    tool("read", { kind: "core" }),
  ];
  const rows = explain(known, { mcpServer: { directTools: ["camera"] } });
  expect(rows.map(({ state, reason }) => [state, reason])).toEqual([
    ["direct-only", expect.stringContaining("MCP clients do not see it (mcpServer.directTools)")],
    ["direct-only", expect.stringContaining("MCP clients see it")],
    ["unavailable", expect.stringContaining("control of Tool Search")],
    ["visible", undefined],
  ]);
});

it("MCPC-1 a server that is not ready is one unavailable row with its state and why, and defects of tools are notes", () => {
  const servers: McpServerStatus[] = [
    { name: "dead", state: "failed", note: "command not found", tools: 0, changes: [], problems: [] },
    { name: "late", state: "starting", tools: 0, changes: [], problems: [] },
    { name: "login", state: "needs_login", tools: 0, changes: [], problems: [] },
    {
      name: "s",
      state: "ready",
      tools: 1,
      changes: [],
      problems: [{ tool: "a", problem: "it has no inputSchema" }, { problem: "left out a tool whose name is empty" }],
    },
  ];
  const rows = explain([tool("a", mcp("s"))], {}, servers);
  expect(rows.map(({ id, state, reason }) => [id, state, reason])).toEqual([
    ["mcp:s:a", "visible", "it has no inputSchema"],
    ["mcp:dead:*", "unavailable", "MCP server dead failed: command not found"],
    ["mcp:late:*", "unavailable", "MCP server late is still starting"],
    ["mcp:login:*", "unavailable", "MCP server login needs a login"],
    ["mcp:s:*", "unavailable", "left out a tool whose name is empty"],
  ]);
});
