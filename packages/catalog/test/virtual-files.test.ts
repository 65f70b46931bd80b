import type { McpServerState } from "@code-mode/contract";
import { describe, expect, it } from "vitest";
import { buildCatalog } from "../src/index.ts";
import { coreTool, mcpSpecial, mcpTool, objectSchema } from "./fixture-tools.ts";
import { thrown } from "./thrown.ts";

const issue = mcpTool("github", "create_issue", {
  description: "Create an issue. Needs write access.",
  parameters: {
    type: "object",
    properties: { title: { type: "string", description: "Issue title" }, body: { type: "string" } },
    required: ["title"],
  },
});
const many = Array.from({ length: 200 }, (_, index) =>
  mcpTool("cloud-api", `list_things_${index}`, {
    description: `List things of kind ${index}. ${"More words. ".repeat(20)}`,
  }),
);
const states: McpServerState[] = [
  { name: "github", state: "ready" },
  { name: "sentry", state: "failed", note: "spawn ENOENT\nuvx" },
  { name: "docs", state: "starting" },
];
const catalog = buildCatalog({
  tools: [coreTool("read"), issue, ...many, mcpTool("docs", "find"), mcpSpecial("docs", "resources.read")],
  mcpServers: states,
});

describe("API.list", () => {
  it("MCP-5 lists the index and one file per server, with tools and bytes", () => {
    const files = catalog.listApi("mcp");
    expect(files.map(({ path }) => path)).toEqual([
      "mcp/index.d.ts",
      "mcp/cloudApi.d.ts",
      "mcp/docs.d.ts",
      "mcp/github.d.ts",
      "mcp/sentry.d.ts",
    ]);
    expect(files.find(({ path }) => path === "mcp/github.d.ts")).toEqual({
      path: "mcp/github.d.ts",
      server: "github",
      tools: 1,
      bytes: Buffer.byteLength(catalog.readApi("mcp/github.d.ts")),
    });
  });

  it.each([undefined, "", "mcp", "mcp/"])("MCP-5 takes the prefix %j for everything", (prefix) => {
    expect(catalog.listApi(prefix)).toEqual(catalog.listApi("mcp"));
  });

  it("MCP-5 narrows by prefix and shows nothing for one that fits nothing", () => {
    expect(catalog.listApi("mcp/git").map(({ path }) => path)).toEqual(["mcp/github.d.ts"]);
    expect(catalog.listApi("tools")).toEqual([]);
    expect(catalog.listApi("../")).toEqual([]);
  });

  it("says why a server is not ready, also one without tools", () => {
    const notes = new Map(catalog.listApi("mcp").map(({ path, note }) => [path, note]));
    expect(notes.get("mcp/sentry.d.ts")).toBe("failed: spawn ENOENT uvx");
    expect(notes.get("mcp/docs.d.ts")).toBe("starting");
    expect(notes.get("mcp/github.d.ts")).toBeUndefined();
    expect(catalog.readApi("mcp/index.d.ts")).toContain("failed: spawn ENOENT uvx");
  });

  it("lists the files of single tools below their server", () => {
    const files = catalog.listApi("mcp/cloudApi/");
    expect(files).toHaveLength(200);
    for (const { path } of files.slice(0, 3)) expect(catalog.readApi(path)).toContain("interface Mcp_cloudApi");
  });

  it("lists nothing when there is no MCP server", () => {
    expect(buildCatalog({ tools: [coreTool("read")] }).listApi()).toEqual([]);
  });

  it("says in the index that there is no MCP server, and where other tools are", () => {
    const none = buildCatalog({ tools: [coreTool("read")] });
    expect(none.readApi("mcp/index.d.ts")).toMatch(/^\/\/ This run has no MCP servers.*tools\.search\(query\)\.\n$/);
  });

  it("MCP-5 lists a server that failed before it had tools with the reason, and declares nothing for it", () => {
    const failed = buildCatalog({
      tools: [],
      mcpServers: [{ name: "sentry", state: "failed", note: "no such program" }],
    });
    expect(failed.listApi("mcp")[1]).toMatchObject({
      path: "mcp/sentry.d.ts",
      server: "sentry",
      tools: 0,
      note: "failed: no such program",
    });
    const text = failed.readApi("mcp/sentry.d.ts");
    expect(text).toContain("offers no tools now (failed: no such program), so MCP.sentry is not there");
    expect(text).not.toContain("declare namespace");
  });
});

describe("API.read", () => {
  it("MCP-5 shows result type, interface, $api, JSDoc and the namespace of a server", () => {
    const text = catalog.readApi("mcp/github.d.ts");
    expect(text).toContain("type McpToolResult");
    expect(text).toContain("$api(toolName?: string, options?: { schema?: boolean }): Promise<McpApiHeader>;");
    expect(text).toContain("/** Create an issue. Needs write access.\n   * @param title Issue title */");
    expect(text).toContain("createIssue(input: { title: string; body?: string }): Promise<McpToolResult>;");
    expect(text).toContain("declare namespace MCP { const github: Mcp_github; }");
  });

  it("MCP-5 takes original names for guest names", () => {
    expect(catalog.readApi("mcp/cloud-api.d.ts")).toBe(catalog.readApi("mcp/cloudApi.d.ts"));
    expect(catalog.readApi("mcp/github/create_issue.d.ts")).toBe(catalog.readApi("mcp/github/createIssue.d.ts"));
  });

  it("shows a large server as one line per tool and serves each tool alone", () => {
    const text = catalog.readApi("mcp/cloudApi.d.ts");
    expect(text).toContain("listThings7: McpTool; // List things of kind 7.\n");
    expect(text).toContain('API.read("mcp/cloudApi/<tool>.d.ts")');
    expect(text.length).toBeLessThanOrEqual(16_000);
    expect(catalog.readApi("mcp/cloudApi/listThings7.d.ts")).toContain(
      "listThings7(input?: Record<string, unknown>): Promise<McpToolResult>;",
    );
  });

  it("MCP-4 shows resources and prompts only where they are", () => {
    expect(catalog.readApi("mcp/docs.d.ts")).toContain(
      "resources: { read(input: { uri: string }): Promise<McpToolResult>; };",
    );
    expect(catalog.readApi("mcp/github.d.ts")).not.toContain("resources");
  });

  it("keeps a server called index apart from the index", () => {
    const index = buildCatalog({ tools: [mcpTool("index", "x")] });
    expect(index.listApi().map(({ path }) => path)).toEqual(["mcp/index.d.ts", "mcp/index_.d.ts"]);
    expect(index.readApi("mcp/index_.d.ts")).toContain("const index: Mcp_index;");
  });

  it.each([
    "mcp/../index.d.ts",
    "./mcp/index.d.ts",
    "mcp/./index.d.ts",
    "..",
    "/mcp/index.d.ts",
    "mcp\\index.d.ts",
    "mcp/index.d.ts\0",
  ])("MCP-5 refuses the path %j", (path) => {
    expect(thrown(() => catalog.readApi(path)).message).toContain("not allowed");
  });

  it.each([
    "",
    "mcp",
    "mcp/",
    "mcp/github",
    "mcp/github.d.tsx",
    "mcp/nowhere.d.ts",
    "mcp/github/nothing.d.ts",
    "mcp/__proto__.d.ts",
    "mcp/github/constructor.d.ts",
    "tools/read.d.ts",
  ])("MCP-5 has no file %j", (path) => {
    expect(thrown(() => catalog.readApi(path)).code).toBe("tool_error");
  });

  it("MCP-5 names the nearest paths for an unknown one", () => {
    expect(thrown(() => catalog.readApi("mcp/githib.d.ts")).message).toContain('"mcp/github.d.ts"');
    expect(thrown(() => catalog.readApi("mcp/github/createIssu.d.ts")).message).toContain(
      '"mcp/github/createIssue.d.ts"',
    );
  });

  it("refuses what is no path", () => {
    expect(thrown(() => catalog.readApi(undefined as unknown as string)).message).toContain("API.read takes a path");
    expect(thrown(() => catalog.listApi(7 as unknown as string)).code).toBe("tool_error");
  });
});

describe("MCP.<server>.$api", () => {
  it("MCP-3 gives the header of a server", () => {
    expect(catalog.mcpApi("github")).toEqual({
      server: "github",
      file: "mcp/github.d.ts",
      text: catalog.readApi("mcp/github.d.ts"),
      tools: [
        {
          name: "createIssue",
          originalName: "create_issue",
          declaration: expect.stringContaining("createIssue(input: { title: string; body?: string })"),
        },
      ],
    });
  });

  it("MCP-3 gives one tool by either name, with its schema on request", () => {
    const header = catalog.mcpApi("github", "create_issue", { schema: true });
    expect(header).toEqual(catalog.mcpApi("github", "createIssue", { schema: true }));
    expect(header.tools[0]?.schema).toBe(issue.parameters);
    expect(header.text).toBe(catalog.readApi("mcp/github/createIssue.d.ts"));
    expect(catalog.mcpApi("github", "createIssue").tools[0]).not.toHaveProperty("schema");
  });

  it("MCP-3 gives a large server one short line per tool", () => {
    const { tools } = catalog.mcpApi("cloud-api");
    expect(tools).toHaveLength(200);
    expect(tools.map(({ declaration }) => declaration)).toContain("listThings7(input: {}): Promise<McpToolResult>;");
  });

  it("MCP-3 refuses an unknown tool with the nearest names, and an unknown server", () => {
    expect(thrown(() => catalog.mcpApi("github", "createIsue")).message).toContain("createIssue");
    expect(thrown(() => catalog.mcpApi("githubb")).message).toContain("github");
    expect(thrown(() => catalog.mcpApi("github", "__proto__")).code).toBe("tool_error");
    expect(thrown(() => catalog.mcpApi("github", { schema: true } as unknown as string)).code).toBe("tool_error");
  });
});

describe("declarations of types", () => {
  it("MCP-5 names a recursive type once and shows enums behind references", () => {
    const node = {
      type: "object",
      properties: { kids: { type: "array", items: { $ref: "#/$defs/Node" } }, level: { $ref: "#/$defs/Level" } },
    };
    const parameters = {
      ...(objectSchema({ root: { $ref: "#/$defs/Node" } }) as object),
      $defs: { Node: node, Level: { enum: ["low", "high"] } },
    };
    const text = buildCatalog({
      tools: [mcpTool("s", "a", { parameters }), mcpTool("s", "b", { parameters })],
    }).readApi("mcp/s.d.ts");
    expect(text.match(/type Node = /g)).toHaveLength(1);
    expect(text).toContain('{ kids?: Node[]; level?: "low" | "high" }');
    expect(text).toContain("a(input: { root: Node })");
  });

  it("tells equal names of different types apart", () => {
    const parameters = (type: string): object => ({
      ...(objectSchema({ n: { $ref: "#/$defs/N" } }) as object),
      $defs: { N: { type: "object", properties: { v: { type }, next: { $ref: "#/$defs/N" } } } },
    });
    const text = buildCatalog({
      tools: [
        mcpTool("s", "a", { parameters: parameters("string") as never }),
        mcpTool("s", "b", { parameters: parameters("number") as never }),
      ],
    }).readApi("mcp/s.d.ts");
    expect(text).toContain("type N = { v?: string; next?: N };");
    expect(text).toContain("type BN = { v?: number; next?: BN };");
    expect(text).toContain("b(input: { n: BN })");
  });

  it("shows declared outputs as the type of structuredContent", () => {
    const text = buildCatalog({
      tools: [mcpTool("s", "t", { outputSchema: objectSchema({ id: { type: "string" } }) })],
    }).readApi("mcp/s.d.ts");
    expect(text).toContain("Promise<McpToolResult<{ id: string }>>;");
  });
});
