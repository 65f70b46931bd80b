import type { CodeModeTool, RunScope, ToolOrigin, ToolSet } from "@code-mode/contract";
import { expect, it } from "vitest";
import type { GatewayConfigInput } from "../../src/config/config-schema.ts";
import { gatewayConfigSchema } from "../../src/config/config-schema.ts";
import { resolveConfig } from "../../src/config/load-config.ts";
import { findRefusal } from "../../src/policy/effective-tools.ts";
import { type PolicyConfig, policyLevels } from "../../src/policy/policy-levels.ts";
import { createPolicyPort } from "../../src/policy/policy-port.ts";
import { RunRules } from "../../src/policy/run-rules.ts";
import { toolId } from "../../src/policy/tool-id.ts";
import { ToolSets } from "../../src/policy/tool-sets.ts";

function tool(name: string, origin?: ToolOrigin): CodeModeTool {
  return { name, description: "", execute: () => null, ...(origin === undefined ? {} : { origin }) };
}

const fixed = [tool("read"), tool("exec"), tool("web_fetch"), tool("count", { kind: "plugin", pluginId: "sample" })];
const base: RunScope = { agentId: "main", sessionId: "s", sessionKey: "main:s", agentRunId: "r" };

function configOf(input: GatewayConfigInput): PolicyConfig {
  return resolveConfig(gatewayConfigSchema.parse(input), { baseDir: "/" });
}

function setsOf(input: GatewayConfigInput, runs = new RunRules(), mcp: () => ToolSet = () => noServers): ToolSets {
  return new ToolSets(configOf(input), { fixed, mcp }, runs);
}

const noServers: ToolSet = { tools: [] };
const namesOf = (sets: ToolSets, scope: Partial<RunScope> = {}): string[] =>
  sets.of({ ...base, ...scope }).tools.map(({ name }) => name);

const levels = {
  tools: {
    deny: ["web_fetch"],
    channels: { mail: { deny: ["exec"] } },
    senders: { ada: { allow: ["read", "exec", "web_fetch"] } },
    sessions: { s1: { deny: ["read"] } },
  },
  agents: { careful: { tools: { deny: ["group:plugins"] } } },
} satisfies GatewayConfigInput;

it.each([
  ["everybody", {}, ["read", "exec", "count"]],
  ["an agent", { agentId: "careful" }, ["read", "exec"]],
  ["a channel", { channel: "mail" }, ["read", "count"]],
  ["a sender, who gets back nothing that is denied to all", { sender: "ada" }, ["read", "exec"]],
  ["a session", { sessionId: "s1" }, ["exec", "count"]],
  ["all of them together", { agentId: "careful", channel: "mail", sender: "ada", sessionId: "s1" }, []],
  [
    "names that are in every object",
    { sender: "constructor", channel: "toString", sessionId: "__proto__" },
    ["read", "exec", "count"],
  ],
])("POL-1 rules hold for %s, and each level only narrows", (_what, scope, names) => {
  expect(namesOf(setsOf(levels), scope)).toEqual(names);
});

it("POL-1 the rules of a request narrow its own run further, and no other", () => {
  const runs = new RunRules();
  const sets = setsOf(levels, runs);
  const close = runs.open(base, { request: { allow: ["read", "web_fetch", "count"], deny: ["count"] } });
  expect(namesOf(sets)).toEqual(["read"]);
  expect(namesOf(sets, { agentRunId: "other" })).toEqual(["read", "exec", "count"]);
  close();
  // with waitScope "session" a program outlives its run: it must not gain tools by that
  expect(namesOf(sets)).toEqual(["read"]);
});

it("POL-1 each refusal names the deciding level, key and rule", () => {
  const runs = new RunRules();
  runs.open(base, { request: { allow: ["exec"] } });
  const scope = { ...base, agentId: "careful", channel: "mail", sender: "ada", sessionId: "s1" };
  const refusalOf = (name: string): unknown =>
    findRefusal(
      fixed.find((known) => known.name === name) as CodeModeTool,
      policyLevels(configOf(levels), scope, runs),
    );
  expect(["web_fetch", "count", "exec", "read"].map(refusalOf)).toEqual([
    { level: "global", key: "tools.deny", rule: "web_fetch" },
    { level: "agent", key: "agents.careful.tools.deny", rule: "group:plugins" },
    { level: "channel", key: "tools.channels.mail.deny", rule: "exec" },
    { level: "session", key: "tools.sessions.s1.deny", rule: "read" },
  ]);
  const count = fixed[3] as CodeModeTool;
  expect(findRefusal(count, policyLevels(configOf(levels), { ...base, sender: "ada" }))).toEqual({
    level: "sender",
    key: "tools.senders.ada.allow",
  });
  expect(findRefusal(count, policyLevels(configOf({}), base, runs))).toMatchObject({ level: "request" });
});

it("POL-1 a denied tool is in no list and is refused at dispatch, at every level alike", () => {
  const runs = new RunRules();
  runs.open({ agentRunId: "r2" }, { request: { deny: ["read"] } });
  runs.open({ agentRunId: "r3" }, { disableTools: true });
  const port = createPolicyPort(configOf(levels), { runs });
  const allowed = (scope: Partial<RunScope>): boolean =>
    port.check({ call: { scope: { ...base, ...scope } } as never, tool: fixed[0] as CodeModeTool, input: {} }).allow;
  expect([{}, { sessionId: "s1" }, { agentRunId: "r2" }, { agentRunId: "r3" }].map(allowed)).toEqual([
    true,
    false,
    false,
    false,
  ]);
  const sets = setsOf(levels, runs);
  expect(sets.find("openclaw:core:read", { ...base, agentRunId: "r2" })).toBeUndefined();
  expect(namesOf(sets, { agentRunId: "r3" })).toEqual([]);
});

it("ACT-5 tools of a client are in the catalog of its own run only, and gone with it", () => {
  const runs = new RunRules();
  const sets = setsOf({ tools: { deny: ["client:app:hidden"] } }, runs);
  const client = (name: string): CodeModeTool => tool(name, { kind: "client", app: "app" });
  const close = runs.open(base, { clientTools: [client("pick"), client("hidden")] });
  expect(sets.of(base).tools.map(toolId)).toEqual([...fixed.map(toolId), "client:app:pick"]);
  const other = { ...base, agentRunId: "other" };
  expect(sets.find("client:app:pick", base)?.name).toBe("pick");
  expect([sets.find("client:app:pick", other), sets.resolve("client:app:pick", other)]).toEqual([undefined, undefined]);
  close();
  expect([sets.find("client:app:pick", base), sets.resolve("client:app:pick", base)]).toEqual([undefined, undefined]);
});

it("ACT-5 scopes with the same rules share one set object, runs with rules of their own share it with nobody", () => {
  const runs = new RunRules();
  let mcp: ToolSet = { tools: [] };
  const sets = setsOf(levels, runs, () => mcp);
  const plain = sets.of(base);
  runs.open({ agentRunId: "empty" }, { request: undefined, clientTools: [] });
  expect(sets.of({ ...base, sessionId: "unknown", sender: "somebody", agentRunId: "empty" })).toBe(plain);
  runs.open({ agentRunId: "a" }, { request: { deny: ["read"] } });
  runs.open({ agentRunId: "b" }, { request: { deny: ["read"] } });
  const [a, b] = [sets.of({ ...base, agentRunId: "a" }), sets.of({ ...base, agentRunId: "b" })];
  expect(sets.of({ ...base, agentRunId: "a" })).toBe(a);
  expect(a).not.toBe(b);
  expect(sets.of({ ...base, agentId: "careful" })).not.toBe(plain);
  mcp = { tools: [] };
  expect(sets.of(base)).not.toBe(plain);
  expect(sets.of({ ...base, agentRunId: "a" })).not.toBe(a);
});

it("rules of runs that ended are kept in a bounded number", () => {
  const runs = new RunRules();
  for (let count = 0; count <= 10_000; count++) runs.open({ agentRunId: `r${count}` }, { disableTools: true })();
  expect([runs.of({ agentRunId: "r0" }), runs.of({ agentRunId: "r1" })]).toEqual([undefined, { disableTools: true }]);
  runs.open({ agentRunId: "free" }, {})();
  expect(runs.of({ agentRunId: "free" })).toBeUndefined();
});
