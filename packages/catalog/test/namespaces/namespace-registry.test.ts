import { afterEach, describe, expect, it } from "vitest";
import {
  buildCatalog,
  clearCodeModeNamespacesForPlugin,
  clearCodeModeNamespacesForTest,
  createCodeModeNamespaceTool,
  createNamespaceRegistry,
  defaultNamespaceRegistry,
  type NamespaceRegistration,
  namespaceTexts,
  registerCodeModeNamespaceForPlugin,
} from "../../src/index.ts";
import { coreTool, mcpTool, pluginTool } from "../fixture-tools.ts";
import { thrown } from "../thrown.ts";

const issues = (changes: Partial<NamespaceRegistration> = {}): NamespaceRegistration => ({
  id: "issues",
  globalName: "Issues",
  description: "Issue helpers.",
  requiredToolNames: ["list_issues"],
  prompt: "Use Issues.list(params).",
  createScope: () => ({ list: createCodeModeNamespaceTool("list_issues") }),
  ...changes,
});
const withTool = buildCatalog({ tools: [pluginTool("tickets", "list_issues"), pluginTool("other", "x")] });

describe("namespace registry", () => {
  it("NS-3 shows a namespace whose tools are in the catalog, with its text", () => {
    const registry = createNamespaceRegistry();
    registry.register("tickets", issues());
    expect(namespaceTexts(withTool, registry)).toEqual([
      { globalName: "Issues", description: "Issue helpers.", prompt: "Use Issues.list(params)." },
    ]);
  });

  it.each([
    ["is missing", [pluginTool("tickets", "other")]],
    ["belongs to another plugin", [pluginTool("other", "list_issues")]],
    ["belongs to core", [coreTool("list_issues")]],
    ["belongs to an MCP server of the plugin's name", [mcpTool("tickets", "list_issues")]],
    ["is direct-only", [pluginTool("tickets", "list_issues", { catalogMode: "direct-only" })]],
  ])("NS-3 hides a namespace when its tool %s", (_why, tools) => {
    const registry = createNamespaceRegistry();
    registry.register("tickets", issues());
    expect(namespaceTexts(buildCatalog({ tools }), registry)).toEqual([]);
  });

  it("NS-3 hides a namespace when one of several tools is missing", () => {
    const registry = createNamespaceRegistry();
    registry.register("tickets", issues({ requiredToolNames: ["list_issues", "update_issue"] }));
    expect(registry.visible(withTool)).toEqual([]);
  });

  it.each([
    "not an identifier",
    "1x",
    "",
    "tools",
    "namespaces",
    "text",
    "json",
    "yield_control",
    "MCP",
    "API",
    "ALL_TOOLS",
    "results",
    "console",
    "Promise",
    "Object",
    "class",
    "then",
    "__openclawX",
  ])("NS-5 refuses the global %j at registration", (globalName) => {
    const error = thrown(() => createNamespaceRegistry().register("tickets", issues({ globalName })));
    expect(error.code).toBe("invalid_input");
    expect(error.message).toContain(JSON.stringify(globalName));
  });

  it("NS-5 refuses an id or global that another registration owns, and names its plugin", () => {
    const registry = createNamespaceRegistry();
    registry.register("tickets", issues());
    expect(thrown(() => registry.register("other", issues({ globalName: "Others" }))).message).toContain('"tickets"');
    expect(thrown(() => registry.register("other", issues({ id: "others" }))).message).toContain('"tickets"');
    registry.register("other", issues({ id: "others", globalName: "Others" }));
  });

  it.each([
    ["id", { id: "" }],
    ["description", { description: undefined as unknown as string }],
    ["prompt", { prompt: 7 as unknown as string }],
    ["requiredToolNames", { requiredToolNames: [] }],
    ["createScope", { createScope: undefined as unknown as () => unknown }],
  ])("refuses a registration with a bad %s", (field, changes) => {
    expect(thrown(() => createNamespaceRegistry().register("tickets", issues(changes))).message).toContain(field);
  });

  it("refuses a plugin id that could be mistaken for another owner", () => {
    expect(thrown(() => createNamespaceRegistry().register("core", issues())).code).toBe("invalid_input");
  });

  it("NS-10 clears the namespaces of one plugin and frees their names", () => {
    const registry = createNamespaceRegistry();
    registry.register("tickets", issues());
    registry.register("other", issues({ id: "x", globalName: "X", requiredToolNames: ["x"] }));
    registry.clearPlugin("tickets");
    expect(registry.visible(withTool).map(({ id }) => id)).toEqual(["x"]);
    registry.register("other", issues());
  });

  it("NS-11 keeps two registries apart", () => {
    const one = createNamespaceRegistry();
    one.register("tickets", issues());
    expect(createNamespaceRegistry().visible(withTool)).toEqual([]);
  });
});

describe("process-wide registry", () => {
  afterEach(() => clearCodeModeNamespacesForTest());

  it("NS-1 holds what registerCodeModeNamespaceForPlugin registers", () => {
    registerCodeModeNamespaceForPlugin("tickets", issues());
    expect(namespaceTexts(withTool).map(({ globalName }) => globalName)).toEqual(["Issues"]);
  });

  it("NS-10 forgets a plugin on clearCodeModeNamespacesForPlugin and all on clearCodeModeNamespacesForTest", () => {
    registerCodeModeNamespaceForPlugin("tickets", issues());
    registerCodeModeNamespaceForPlugin("other", issues({ id: "x", globalName: "X", requiredToolNames: ["x"] }));
    clearCodeModeNamespacesForPlugin("tickets");
    expect(
      defaultNamespaceRegistry()
        .visible(withTool)
        .map(({ id }) => id),
    ).toEqual(["x"]);
    clearCodeModeNamespacesForTest();
    expect(defaultNamespaceRegistry().visible(withTool)).toEqual([]);
  });
});
