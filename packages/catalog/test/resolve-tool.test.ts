import { describe, expect, it } from "vitest";
import { buildCatalog } from "../src/index.ts";
import { clientTool, coreTool, mcpSpecial, mcpTool, objectSchema, pluginTool } from "./fixture-tools.ts";
import { thrown } from "./thrown.ts";

const read = coreTool("read", {
  parameters: objectSchema({ path: { type: "string" } }),
  outputSchema: { type: "string" },
});
const catalog = buildCatalog({
  tools: [
    read,
    coreTool("echo"),
    clientTool("echo"),
    pluginTool("p", "web-search"),
    mcpTool("github", "create_issue"),
    mcpTool("a", "shared"),
    mcpTool("b", "shared"),
    mcpSpecial("docs", "resources.read"),
  ],
});

describe("resolving native tools", () => {
  it("GUEST-3 describes a tool by id with its full schema", () => {
    expect(catalog.describe("openclaw:core:read")).toEqual({
      id: "openclaw:core:read",
      name: "read",
      description: "Core tool read",
      source: "openclaw",
      parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
      outputSchema: { type: "string" },
    });
  });

  it("GUEST-3 describes a tool without a schema as taking any object", () => {
    expect(catalog.describe("client:app:echo").parameters).toEqual({ type: "object" });
  });

  it("GUEST-3 takes an unambiguous name or convenience name for the id", () => {
    expect(catalog.resolveNative("read").entry.id).toBe("openclaw:core:read");
    expect(catalog.resolveNative("web-search").entry.id).toBe("openclaw:p:web-search");
    expect(catalog.resolveNative("web_search").entry.id).toBe("openclaw:p:web-search");
  });

  it("GUEST-3 refuses an ambiguous name and lists the ids to use", () => {
    const error = thrown(() => catalog.resolveNative("echo"));
    expect(error.code).toBe("tool_error");
    expect(error.details).toEqual({ ids: ["openclaw:core:echo", "client:app:echo"] });
  });

  it("GUEST-3 refuses an unknown id with the nearest names, none of them of MCP tools", () => {
    const error = thrown(() => catalog.describe("raed"));
    expect(error.code).toBe("tool_error");
    expect(error.message).toContain("Did you mean read");
    expect(thrown(() => catalog.resolveNative("create_issu")).message).not.toContain("create_issue");
  });

  it.each(["mcp:github:create_issue", "create_issue"])(
    "GUEST-5 refuses %s and points to the expression that calls it",
    (wanted) => {
      const error = thrown(() => catalog.resolveNative(wanted));
      expect(error.code).toBe("tool_error");
      expect(error.message).toContain("MCP.github.createIssue(");
    },
  );

  it("GUEST-5 points to every server that has a tool of the name, and to special members", () => {
    expect(thrown(() => catalog.resolveNative("shared")).message).toMatch(/MCP\.a\.shared\(.*MCP\.b\.shared\(/);
    expect(thrown(() => catalog.resolveNative("mcp:docs:resources.read")).message).toContain(
      "MCP.docs.resources.read(",
    );
  });

  it("CAT-6 answers a denied tool like one that never existed", () => {
    const message = (id: string): string => thrown(() => catalog.resolveNative(id)).message.replace(id, "ID");
    expect(message("openclaw:core:zzqqxx")).toBe(message("openclaw:core:yyqqvv"));
    expect(catalog.get("openclaw:core:zzqqxx")).toBeUndefined();
  });

  it.each(["__proto__", "constructor", "toString"])("knows no tool called %s", (name) => {
    expect(thrown(() => catalog.resolveNative(name)).code).toBe("tool_error");
    expect(catalog.get(name)).toBeUndefined();
  });

  it("refuses what is no string, and cuts what is too long to echo", () => {
    expect(thrown(() => catalog.resolveNative(7 as unknown as string)).message).toContain("string");
    expect(thrown(() => catalog.resolveNative("x".repeat(100_000))).message.length).toBeLessThan(500);
  });
});
