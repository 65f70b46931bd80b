import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";
import { createHost, type Host } from "../../src/compose.ts";
import type { GatewayConfigInput } from "../../src/config/config-schema.ts";
import { resolveConfig } from "../../src/config/load-config.ts";
import { PluginNamespaces } from "../../src/namespaces/plugin-namespaces.ts";
import { loadPlugins } from "../../src/plugins/load-plugins.ts";
import { TemporaryFolder } from "../temporary-folder.ts";

const scope = { agentId: "main", sessionId: "s", sessionKey: "main:s", agentRunId: "r" };
const issuesPlugin = fileURLToPath(new URL("../fixtures/issues-plugin.mjs", import.meta.url));
const folder = new TemporaryFolder();
afterAll(() => folder[Symbol.dispose]());

function open(input: GatewayConfigInput = {}): Promise<Host> {
  const { tools, ...rest } = input;
  return createHost({
    config: resolveConfig(
      { plugins: [issuesPlugin], tools: { codeMode: { timeoutMs: 5_000, enabled: true }, ...tools }, ...rest },
      { baseDir: folder.path },
    ),
  });
}

async function value(host: Host, code: string): Promise<unknown> {
  const result = await host.codeMode?.exec({ code }, { scope, toolCallId: "exec-1" });
  if (result?.status !== "completed") throw new Error(JSON.stringify(result));
  return result.value;
}

it("NS-8 a plugin's namespace is a global and a member of namespaces", async () => {
  await using host = await open();
  const code = `return [await Issues.list({ open: true }), (await namespaces.Issues.list()).length, Issues === namespaces.Issues]`;
  expect(await value(host, code)).toEqual([[{ id: 1, title: "Crash on start", open: true }], 2, true]);
});

it("NS-9 a namespace call runs as the tool it stands for, under the exec that made it, and guests catch its failures", async () => {
  await using host = await open();
  const code = `return [await Issues.byState.close(7), await Issues.byState.close(7, 8).catch((error) => error.message)]`;
  expect(await value(host, code)).toEqual([
    { id: 7, agentId: "main", parentToolCallId: "exec-1" },
    expect.stringContaining("close takes one id"),
  ]);
});

it("NS-4 the scope is made once per cell, knows its run, and shows the configuration without secrets", async () => {
  await using host = await open({
    gateway: { auth: { token: "token-of-the-gateway" } },
    models: { providers: { p: { api: "openai-chat", apiKey: "key-of-a-provider" } } },
    agents: { main: { instructions: "never say key-of-a-provider" } },
    mcpServers: { gone: { url: "http://user:pass@127.0.0.1:1/mcp", headers: { "X-Custom": "header-value" } } },
  });
  const code = `const first = Issues.about; await yield_control(); return [first, Issues.about.scopes]`;
  const parked = await host.codeMode?.exec({ code }, { scope });
  if (parked?.status !== "waiting") throw new Error(JSON.stringify(parked));
  const done = await host.codeMode?.wait({ runId: parked.runId }, { scope });
  const [first, scopes] = (done?.status === "completed" ? done.value : []) as [Record<string, unknown>, number];
  expect(first).toMatchObject({ agentId: "main", sessionKey: "main:s", runId: "r", scopes });
  expect(first.config).toMatchObject({
    models: { providers: { p: { apiKey: "***" } } },
    mcp: { servers: { gone: {} } },
  });
  expect(JSON.stringify(first.config)).not.toMatch(/key-of-a-provider|token-of-the-gateway|header-value|:pass@/);
});

it("NS-3 a namespace is neither a global nor described while one of its tools is denied", async () => {
  await using shown = await open();
  const described = async (host: Host): Promise<string> => (await host.activate(scope)).tools[0]?.description ?? "";
  expect(await described(shown)).toContain("- Issues: The project's issues. Start with Issues.list().");
  await using hidden = await open({ tools: { deny: ["close_issue"] } });
  expect(await described(hidden)).not.toContain("Issues");
  expect(await value(hidden, "return [typeof Issues, Object.keys(namespaces)]")).toEqual(["undefined", []]);
});

it("WAIT-2 a namespace call that settles after exec returned is delivered by wait", async () => {
  await using host = await open({ tools: { codeMode: { enabled: true, timeoutMs: 300 } } });
  const parked = await host.codeMode?.exec({ code: "return await Issues.slow()" }, { scope });
  if (parked?.status !== "waiting") throw new Error(JSON.stringify(parked));
  expect(parked.pendingToolCalls).toMatchObject([{ id: "openclaw:issues:slow_issue" }]);
  (globalThis as unknown as { answerSlowIssue(value: unknown): void }).answerSlowIssue("late");
  const done = await host.codeMode?.wait({ runId: parked.runId }, { scope });
  expect(done).toMatchObject({ status: "completed", value: "late" });
});

it("NS-5 a namespace that hides a guest global stops the start, naming the plugin", async () => {
  folder.write(
    "bad.mjs",
    'export default { id: "bad", tools: [{ name: "t", description: "", parameters: {}, execute: () => 1 }], namespaces: [{ id: "x", globalName: "tools", description: "", requiredToolNames: ["t"], createScope: () => ({}) }] };',
  );
  await expect(open({ plugins: ["./bad.mjs"] })).rejects.toThrow(/plugin bad: .*global "tools" is not allowed/);
});

it("PLG-3 a failed setup takes the plugin's namespaces back, so that their names are free again", async () => {
  const plugin = (id: string, setup: string): string =>
    `export default { id: "${id}", tools: [{ name: "t", description: "", parameters: {}, execute: () => 1 }], ${setup}
       namespaces: [{ id: "same", globalName: "Same", description: "", requiredToolNames: ["t"], createScope: () => ({ by: "${id}" }) }] };`;
  folder.write("fails.mjs", plugin("fails", 'setup() { throw new Error("no database"); },'));
  folder.write("works.mjs", plugin("works", ""));
  const config = resolveConfig({}, { baseDir: folder.path });
  const namespaces = new PluginNamespaces(config).sink;
  const options = { baseDir: folder.path, namespaces };
  await expect(loadPlugins(["./fails.mjs"], options)).rejects.toThrow("setup failed (no database");
  await using loaded = await loadPlugins(["./works.mjs"], options);
  expect(loaded.ids).toEqual(["works"]);
});

it("PLG-4 setup gets no way to register anything", async () => {
  folder.write(
    "curious.mjs",
    "export default { id: 'curious', setup(api) { globalThis.seenPluginApi = Object.keys(api).sort(); } };",
  );
  await using host = await open({ plugins: ["./curious.mjs"] });
  expect(host.tools.plugins.ids).toEqual(["curious"]);
  expect((globalThis as unknown as { seenPluginApi: string[] }).seenPluginApi).toEqual(["log", "pluginId"]);
});

it("NS-4 what a scope knows of an abort follows the cell it was made for", async () => {
  const contexts: { aborted: boolean }[] = [];
  const heard = Symbol.for("code-mode.test.contexts");
  Object.assign(globalThis, { [heard]: contexts });
  const plugin = folder.write(
    "abortable.mjs",
    `export default { id: "abortable",
      tools: [{ name: "noop", description: "", parameters: {}, execute: () => null }],
      namespaces: [{ id: "a", globalName: "Abortable", description: "", requiredToolNames: ["noop"],
        createScope: (context) => { globalThis[Symbol.for("code-mode.test.contexts")].push(context); return {}; } }] };`,
  );
  await using host = await open({ plugins: [plugin] });
  const parked = (agentRunId: string) =>
    host.codeMode?.exec({ code: "await yield_control()" }, { scope: { ...scope, agentRunId } });
  await parked("ends");
  await parked("stays");
  expect(contexts.map(({ aborted }) => aborted)).toEqual([false, false]);
  await host.codeMode?.endRun({ ...scope, agentRunId: "ends" });
  expect(contexts.map(({ aborted }) => aborted)).toEqual([true, false]);
});
