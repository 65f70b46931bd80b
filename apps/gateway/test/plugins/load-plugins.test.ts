import type { CodeModeTool, JsonValue } from "@code-mode/contract";
import { expect, it } from "vitest";
import { loadPlugins } from "../../src/plugins/load-plugins.ts";
import { TemporaryFolder } from "../temporary-folder.ts";
import { toolContext } from "../tool-context.ts";

/** Plugins of these tests report what happens to them in a list that `globalThis` holds under this name. */
const journalName = "codemodePluginJournal";

function openJournal(): string[] {
  const journal: string[] = [];
  Object.assign(globalThis, { [journalName]: journal });
  return journal;
}

function pluginSource(id: string, rest = ""): string {
  return `const log = (line) => globalThis.${journalName}?.push(line);
export default { id: "${id}", setup: () => log("setup ${id}"), dispose: () => log("dispose ${id}"), ${rest} };`;
}

const tool = '{ name: "t", description: "A tool.", parameters: { type: "object" }, execute: (input) => input }';

it("PLG-1 a plugin's tools are loaded with all that they declare and called with the documented context", async () => {
  using folder = new TemporaryFolder();
  folder.write(
    "p.mjs",
    `export default { id: "p", tools: [{ name: "t", label: "T", description: "d", parameters: { type: "object" },
      outputSchema: { type: "object" }, catalogMode: "direct-only", executionMode: "sequential", replaySafe: true,
      approval: "always", execute(input, context) { context.onUpdate("half"); return [input, Object.keys(context).sort()]; } }] };`,
  );
  await using plugins = await loadPlugins(["./p.mjs"], { baseDir: folder.path });
  const [loaded] = plugins.tools as [CodeModeTool];
  expect(loaded).toMatchObject({
    name: "t",
    label: "T",
    origin: { kind: "plugin", pluginId: "p" },
    outputSchema: { type: "object" },
    catalogMode: "direct-only",
    executionMode: "sequential",
    replaySafe: true,
    approval: "always",
  });
  const updates: unknown[] = [];
  const [input, keys] = (await loaded.execute({ a: 1 }, toolContext(updates))) as [JsonValue, string[]];
  expect([input, updates]).toEqual([{ a: 1 }, ["half"]]);
  expect(keys).toEqual(["agentId", "log", "onUpdate", "runId", "sessionId", "sessionKey", "signal", "toolCallId"]);
});

it("PLG-1 plugins are set up in order and disposed in reverse order", async () => {
  using folder = new TemporaryFolder();
  const journal = openJournal();
  folder.write("a.mjs", pluginSource("a"));
  folder.write("b.mjs", pluginSource("b"));
  const plugins = await loadPlugins(["./a.mjs", "./b.mjs"], { baseDir: folder.path });
  await plugins[Symbol.asyncDispose]();
  await plugins[Symbol.asyncDispose]();
  expect(journal).toEqual(["setup a", "setup b", "dispose b", "dispose a"]);
});

it("an id or a tool name that stands twice is an error before anything is set up", async () => {
  using folder = new TemporaryFolder();
  const journal = openJournal();
  folder.write("a.mjs", pluginSource("a"));
  folder.write("same.mjs", pluginSource("a"));
  folder.write("twice.mjs", pluginSource("twice", `tools: [${tool}, ${tool}]`));
  const load = (...names: string[]): Promise<unknown> => loadPlugins(names, { baseDir: folder.path });
  await expect(load("./a.mjs", "./same.mjs")).rejects.toThrow("plugin ./same.mjs: the id a is taken");
  await expect(load("./a.mjs", "./twice.mjs")).rejects.toThrow("the tool name t stands twice in twice");
  expect(journal).toEqual([]);
});

it("a failed setup rolls everything back, namespaces too", async () => {
  using folder = new TemporaryFolder();
  const journal = openJournal();
  folder.write("a.mjs", pluginSource("a", 'namespaces: [{ id: "n" }]'));
  folder.write(
    "bad.mjs",
    pluginSource("bad", 'namespaces: [{ id: "m" }], setup() { throw new Error("no database"); }'),
  );
  const registered = new Map<string, unknown>();
  const namespaces = {
    register: (pluginId: string, registration: unknown) => void registered.set(pluginId, registration),
    clear: (pluginId: string) => void registered.delete(pluginId),
  };
  const loading = loadPlugins(["./a.mjs", "./bad.mjs"], { baseDir: folder.path, namespaces });
  await expect(loading).rejects.toThrow("plugin ./bad.mjs: plugin bad: setup failed (no database)");
  expect(journal).toEqual(["setup a", "dispose bad", "dispose a"]);
  expect(registered.size).toBe(0);
});

it.each([
  ["a missing module", undefined, /plugin \.\/p\.mjs: the module cannot be loaded \(.*Check the path in "plugins"/],
  ["a module that throws", 'throw new Error("broken at import");', "cannot be loaded (broken at import)"],
  ["a syntax error", "export default {", "plugin ./p.mjs: the module cannot be loaded ("],
  ["no default export", "export const id = 1;", "the default export is undefined"],
  ["a bad id", 'export default { id: "A B" };', 'id: found "A B", expected lower-case letters'],
  ["a reserved id", 'export default { id: "core" };', "the id core is reserved"],
  ["an unknown key", 'export default { id: "p", toolz: [] };', "toolz: unknown key. Did you mean tools"],
  [
    "an unknown key of a tool",
    `export default { id: "p", tools: [{ ...${tool}, paramters: {} }] };`,
    "tools.0.paramters: unknown key. Did you mean parameters",
  ],
  [
    "an invalid schema",
    `export default { id: "p", tools: [${tool}, { ...${tool}, name: "u", parameters: { type: "object", properties: { n: { type: "nummer" } } } }] };`,
    /plugin \.\/p\.mjs: tools\.1\.parameters\.properties\.n\.type: tool u has an invalid JSON Schema \(must be equal to one of the allowed values: .*number/,
  ],
  [
    "a schema whose reference leads nowhere",
    `export default { id: "p", tools: [{ ...${tool}, outputSchema: { $ref: "#/$defs/none" } }] };`,
    "tools.0.outputSchema: tool t has an invalid JSON Schema (can't resolve reference #/$defs/none",
  ],
  [
    "a tool without execute",
    'export default { id: "p", tools: [{ name: "t", description: "", parameters: {} }] };',
    "tools.0.execute: found undefined, expected a function",
  ],
])("CONF-3 a plugin with %s is an error that names it", async (_what, source, message) => {
  using folder = new TemporaryFolder();
  if (source !== undefined) folder.write("p.mjs", source);
  await expect(loadPlugins(["./p.mjs"], { baseDir: folder.path })).rejects.toThrow(message);
});

it.each([
  ["import", "await new Promise(() => {}); export default { id: 'p' };"],
  ["setup", "export default { id: 'p', setup: () => new Promise(() => {}) };"],
])("a plugin whose %s hangs is an error that names file and step", async (step, source) => {
  using folder = new TemporaryFolder();
  folder.write("p.mjs", source);
  const loading = loadPlugins(["./p.mjs"], { baseDir: folder.path, stepMs: 50 });
  await expect(loading).rejects.toThrow(`${step} was still running after 50 ms`);
  await expect(loading).rejects.toThrow("./p.mjs");
});

it("a dispose that hangs is logged after the limit and does not hold up the end", async () => {
  using folder = new TemporaryFolder();
  const lines: string[] = [];
  folder.write("p.mjs", "export default { id: 'p', dispose: () => new Promise(() => {}) };");
  const log = (_id: string, message: string): void => void lines.push(message);
  const plugins = await loadPlugins(["./p.mjs"], { baseDir: folder.path, stepMs: 50, log });
  await plugins[Symbol.asyncDispose]();
  expect(lines).toEqual(["dispose failed: dispose was still running after 50 ms (from ./p.mjs)"]);
});

it("several disposes that hang take the time of one, and the others still end", async () => {
  using folder = new TemporaryFolder();
  const journal = openJournal();
  const lines: string[] = [];
  const ids = ["a", "b", "c"];
  const started = ids.map(() => Promise.withResolvers<void>());
  Object.assign(globalThis, { disposeStarted: started.map(({ resolve }) => resolve) });
  ids.forEach((id, index) => {
    folder.write(
      `${id}.mjs`,
      pluginSource(id, `dispose() { globalThis.disposeStarted[${index}](); return new Promise(() => {}); }`),
    );
  });
  folder.write("good.mjs", pluginSource("good"));
  const log = (id: string): void => void lines.push(id);
  const specifiers = ["./good.mjs", ...ids.map((id) => `./${id}.mjs`)];
  const plugins = await loadPlugins(specifiers, { baseDir: folder.path, stepMs: 200, log });
  const disposing = plugins[Symbol.asyncDispose]();
  // none waits for another: all have begun before the first one is given up
  await Promise.all(started.map(({ promise }) => promise));
  expect(lines).toEqual([]);
  await disposing;
  expect(lines.sort()).toEqual(ids);
  expect(journal.at(-1)).toBe("dispose good");
});

it("schemas of older drafts and boolean schemas are valid", async () => {
  using folder = new TemporaryFolder();
  const old =
    '{ $schema: "http://json-schema.org/draft-07/schema#", type: "object", definitions: { n: { type: "number" } } }';
  folder.write("p.mjs", `export default { id: "p", tools: [{ ...${tool}, parameters: ${old}, outputSchema: true }] };`);
  await using plugins = await loadPlugins(["./p.mjs"], { baseDir: folder.path });
  expect(plugins.tools).toHaveLength(1);
});
