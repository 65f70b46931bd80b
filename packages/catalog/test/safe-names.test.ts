import { describe, expect, it } from "vitest";
import { buildCatalog, safeToolName } from "../src/index.ts";
import { clientTool, coreTool, mcpTool, pluginTool } from "./fixture-tools.ts";

const names = (tools: Parameters<typeof buildCatalog>[0]["tools"]): unknown =>
  JSON.parse(buildCatalog({ tools }).guestText).names;

describe("safe names", () => {
  it.each([
    ["web-search", "web_search"],
    ["3d.render", "_3d_render"],
    ["$top", "$top"],
    ["camelCase", "camelCase"],
    ["naïve", "na_ve"],
    ["a b", "a_b"],
  ])("GUEST-4 makes %s to %s, without camelCase", (name, safe) => {
    expect(safeToolName(name)).toBe(safe);
  });

  it("CAT-5 gives two tools with one safe name no convenience function; ids still work", () => {
    const tools = [coreTool("web-search"), pluginTool("p", "web_search"), coreTool("read")];
    expect(names(tools)).toEqual({ read: "openclaw:core:read" });
    expect(buildCatalog({ tools }).resolveNative("openclaw:p:web_search").entry.sourceName).toBe("p");
  });

  it("CAT-4 drops tools.exec when a second tool is called exec", () => {
    expect(names([coreTool("exec"), clientTool("exec")])).toEqual({});
  });

  it("GUEST-4 lets MCP tools not collide with native ones", () => {
    expect(names([coreTool("echo"), mcpTool("s", "echo")])).toEqual({ echo: "openclaw:core:echo" });
  });

  it.each([
    "search",
    "describe",
    "call",
    "then",
    "toJSON",
    "constructor",
    "__proto__",
    "hasOwnProperty",
    "toString",
    "valueOf",
  ])("GUEST-4 never installs a convenience function named %s", (name) => {
    const catalog = buildCatalog({ tools: [coreTool(name)] });
    expect(Object.keys(JSON.parse(catalog.guestText).names)).toEqual([]);
    expect(catalog.resolveNative(`openclaw:core:${name}`).entry.name).toBe(name);
  });

  it("GUEST-4 keeps every member of Object.prototype free", () => {
    const tools = Object.getOwnPropertyNames(Object.prototype).map((name) => coreTool(name));
    expect(Object.keys(JSON.parse(buildCatalog({ tools }).guestText).names)).toEqual([]);
  });
});
