import { buildCatalog } from "@code-mode/catalog";
import type { CodeModeTool, ToolOrigin } from "@code-mode/contract";
import { expect, it } from "vitest";
import { effectiveTools, type PolicyLevel } from "../../src/policy/effective-tools.ts";
import { createPolicyPort } from "../../src/policy/policy-port.ts";
import { toolId } from "../../src/policy/tool-id.ts";
import { ToolSets } from "../../src/policy/tool-sets.ts";

function tool(name: string, origin?: ToolOrigin): CodeModeTool {
  return { name, description: "", execute: () => null, ...(origin === undefined ? {} : { origin }) };
}

const tools = [
  tool("read"),
  tool("exec"),
  tool("count", { kind: "plugin", pluginId: "sample" }),
  tool("create_issue", { kind: "mcp", server: "github" }),
  tool("read", { kind: "mcp", server: "a:b" }),
];

function idsUnder(...levels: PolicyLevel[]): string[] {
  return effectiveTools(tools, levels).map(toolId);
}

it("ids are those of the catalog", () => {
  expect(
    buildCatalog({ tools })
      .tools.map(({ entry }) => entry.id)
      .sort(),
  ).toEqual(tools.map(toolId).sort());
});

it.each([
  ["a name", { deny: ["read"] }, ["openclaw:core:exec", "openclaw:sample:count", "mcp:github:create_issue"]],
  [
    "an id",
    { deny: ["openclaw:core:read"] },
    ["openclaw:core:exec", "openclaw:sample:count", "mcp:github:create_issue", "mcp:a%3Ab:read"],
  ],
  ["a glob of ids", { deny: ["mcp:*"] }, ["openclaw:core:read", "openclaw:core:exec", "openclaw:sample:count"]],
  ["a glob of names", { allow: ["cr*_iss*"] }, ["mcp:github:create_issue"]],
  ["a group", { allow: ["group:fs", "group:plugins"] }, ["openclaw:core:read", "openclaw:sample:count"]],
  ["the MCP group", { allow: ["group:mcp"] }, ["mcp:github:create_issue", "mcp:a%3Ab:read"]],
  ["an empty allow list", { allow: [] }, []],
])("rules match by %s", (_what, level, ids) => {
  expect(idsUnder(level)).toEqual(ids);
});

it("deny wins over allow, and a later level can only narrow", () => {
  expect(idsUnder({ allow: ["read", "exec"], deny: ["exec"] })).toEqual(["openclaw:core:read", "mcp:a%3Ab:read"]);
  expect(idsUnder({ allow: ["read"] }, { allow: ["*"] })).toEqual(["openclaw:core:read", "mcp:a%3Ab:read"]);
  expect(idsUnder({ deny: ["group:mcp"] }, { allow: ["group:mcp"] })).toEqual([]);
});

it("an agent's rules hold for that agent only, in the list and at dispatch", () => {
  const config = { tools: {}, agents: { careful: { tools: { deny: ["exec"] } } } };
  const sets = new ToolSets(config, { fixed: tools, mcp: () => noServers });
  const idsOf = (agentId: string): string[] => sets.of({ agentId }).tools.map(toolId);
  expect(idsOf("main")).toContain("openclaw:core:exec");
  expect(idsOf("careful")).not.toContain("openclaw:core:exec");
  expect(sets.find("openclaw:core:exec", { agentId: "careful" })).toBeUndefined();
  const check = (agentId: string): boolean =>
    createPolicyPort(config).check({ call: { scope: { agentId } } as never, tool: tools[1] as CodeModeTool, input: {} })
      .allow;
  expect([check("main"), check("careful")]).toEqual([true, false]);
});

const noServers = { tools: [] };

it("the same set object is answered until the MCP tools change", () => {
  let mcp = { tools: [tool("a", { kind: "mcp", server: "s" })], mcpServers: [{ name: "s", state: "ready" as const }] };
  const sets = new ToolSets({ tools: {}, agents: {} }, { fixed: tools, mcp: () => mcp });
  const before = sets.of({ agentId: "main" });
  expect(sets.of({ agentId: "main" })).toBe(before);
  mcp = { ...mcp };
  expect(sets.of({ agentId: "main" })).not.toBe(before);
});

it("a server whose tools are all denied is not named to the model either", () => {
  const mcp = {
    tools: [tool("a", { kind: "mcp", server: "s" })],
    mcpServers: [{ name: "s", state: "ready" as const }],
  };
  const sets = new ToolSets({ tools: { deny: ["mcp:s:*"] }, agents: {} }, { fixed: [], mcp: () => mcp });
  expect(sets.of({ agentId: "main" })).toEqual({ tools: [], mcpServers: [] });
});
