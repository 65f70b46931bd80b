import type { CodeModeTool } from "@code-mode/contract";
import { describe, expect, it } from "vitest";
import { buildCatalog } from "../src/index.ts";
import { clientTool, coreTool, mcpTool, objectSchema, pluginTool } from "./fixture-tools.ts";
import { thrown } from "./thrown.ts";

const ids = (tools: readonly CodeModeTool[]): string[] => buildCatalog({ tools }).tools.map(({ entry }) => entry.id);
const allTools = (tools: readonly CodeModeTool[]): unknown => JSON.parse(buildCatalog({ tools }).guestText).allTools;

describe("buildCatalog", () => {
  const mixed = [
    clientTool("select_file"),
    mcpTool("github", "create_issue"),
    pluginTool("tickets", "list"),
    pluginTool("browser", "browser_request", { bundled: true }),
    coreTool("message"),
  ];

  it("CAT-1 lists core, bundled plugin, external plugin, MCP and client tools in this order", () => {
    expect(ids(mixed)).toEqual([
      "openclaw:core:message",
      "openclaw:browser:browser_request",
      "openclaw:tickets:list",
      "mcp:github:create_issue",
      "client:app:select_file",
    ]);
  });

  it("CAT-2 gives equal tool sets equal ids, text and hash, however they are listed", () => {
    const forward = buildCatalog({ tools: [...mixed, coreTool("b"), coreTool("a")] });
    const backward = buildCatalog({ tools: [coreTool("a"), coreTool("b"), ...[...mixed].reverse()] });
    expect(backward.guestText).toBe(forward.guestText);
    expect(backward.hash).toBe(forward.hash);
    expect(forward.hash).toMatch(/^[0-9a-f]{64}$/);
  });

  it("CAT-2 changes the hash with anything the guest can see", () => {
    const hash = (description: string): string => buildCatalog({ tools: [coreTool("a", { description })] }).hash;
    expect(hash("one")).not.toBe(hash("two"));
  });

  it("CAT-2 percent-encodes colon and percent in owner and name, so that ids cannot be forged by names", () => {
    expect(ids([mcpTool("a:b", "c%3Ad")])).toEqual(["mcp:a%3Ab:c%253Ad"]);
    expect(ids([mcpTool("a", "b:c"), mcpTool("a:b", "c")])).toHaveLength(2);
  });

  it.each(["core", "app", "bundle-mcp", "Tickets", "-x", "a b", "a:b", ""])(
    "CAT-2 refuses the plugin id %j",
    (pluginId) => {
      const error = thrown(() => buildCatalog({ tools: [pluginTool(pluginId, "x")] }));
      expect(error.code).toBe("invalid_input");
      expect(error.message).toContain(JSON.stringify(pluginId));
    },
  );

  it("CAT-2 accepts digits, dashes and underscores in a plugin id", () => {
    expect(ids([pluginTool("0-a_b", "x")])).toEqual(["openclaw:0-a_b:x"]);
  });

  it("refuses two tools of one id and names both", () => {
    const error = thrown(() =>
      buildCatalog({ tools: [mcpTool("s", "t", { label: "first one" }), mcpTool("s", "t", { label: "second one" })] }),
    );
    expect(error.code).toBe("invalid_input");
    expect(error.message).toContain("mcp:s:t");
    expect(error.message).toContain("first one");
    expect(error.message).toContain("second one");
  });

  it("CAT-3 leaves out direct-only tools and controls of either surface", () => {
    const control = { ...coreTool("wait"), kind: "control" } as CodeModeTool;
    const tools = [
      coreTool("computer", { catalogMode: "direct-only" }),
      control,
      coreTool("tool_search"),
      coreTool("tool_search_code"),
      coreTool("tool_describe"),
      coreTool("tool_call"),
      coreTool("read"),
    ];
    expect(ids(tools)).toEqual(["openclaw:core:read"]);
  });

  it("CAT-3 tells Tool Search controls by their origin, not by name alone", () => {
    expect(ids([pluginTool("index", "tool_search"), mcpTool("s", "tool_call")])).toEqual([
      "openclaw:index:tool_search",
      "mcp:s:tool_call",
    ]);
  });

  it("CAT-4 catalogues the shell tool named exec like any other", () => {
    const catalog = buildCatalog({ tools: [coreTool("exec")] });
    expect(catalog.resolveNative("openclaw:core:exec").entry.name).toBe("exec");
    expect(JSON.parse(catalog.guestText).names).toEqual({ exec: "openclaw:core:exec" });
  });

  it("GUEST-2 shows plain entries without schemas, and MCP tools not at all", () => {
    const tools = [
      coreTool("read", { label: "Read", parameters: objectSchema({ path: { type: "string" } }) }),
      pluginTool("tickets", "list"),
      clientTool("pick"),
      mcpTool("s", "t"),
    ];
    expect(allTools(tools)).toEqual([
      { id: "openclaw:core:read", name: "read", label: "Read", description: "Core tool read", source: "openclaw" },
      {
        id: "openclaw:tickets:list",
        name: "list",
        description: "Plugin tool list",
        source: "openclaw",
        sourceName: "tickets",
      },
      { id: "client:app:pick", name: "pick", description: "Client tool pick", source: "client", sourceName: "app" },
    ]);
  });

  it("GUEST-2 shows every eligible native tool, however many there are", () => {
    const tools = Array.from({ length: 2_000 }, (_, index) => coreTool(`tool_${index}`));
    expect(allTools(tools)).toHaveLength(2_000);
  });

  it("counts tools by source", () => {
    expect(buildCatalog({ tools: mixed }).sources).toEqual({ openclaw: 3, mcp: 1, client: 1 });
  });

  it("hands out entries that cannot be changed", () => {
    const [first] = buildCatalog({ tools: mixed }).tools;
    expect(Object.isFrozen(first)).toBe(true);
    expect(Object.isFrozen(first?.entry)).toBe(true);
  });

  it("builds the catalog of an empty tool set", () => {
    const catalog = buildCatalog({ tools: [] });
    expect(catalog.tools).toEqual([]);
    expect(catalog.listApi()).toEqual([]);
    expect(catalog.search("anything", 8)).toEqual([]);
  });
});
