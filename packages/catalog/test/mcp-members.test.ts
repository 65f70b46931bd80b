import { describe, expect, it } from "vitest";
import { createGuestCatalog, type GuestCatalog } from "../src/guest.ts";
import { buildCatalog } from "../src/index.ts";
import { mcpSpecial, mcpTool } from "./fixture-tools.ts";

const guestOf = (...tools: Parameters<typeof buildCatalog>[0]["tools"]): GuestCatalog =>
  createGuestCatalog(buildCatalog({ tools }).guestText);

describe("MCP members", () => {
  it("MCP-1 names servers and tools in camelCase and keeps the original names", () => {
    const guest = guestOf(mcpTool("chrome-devtools", "take_snapshot"));
    expect(guest.serverNames()).toEqual(["chromeDevtools"]);
    expect(guest.mcpMembers("chromeDevtools")).toEqual(["takeSnapshot"]);
    for (const server of ["chromeDevtools", "chrome-devtools"])
      for (const member of ["takeSnapshot", "take_snapshot"])
        expect(guest.mcpMember(server, member)).toBe("mcp:chrome-devtools:take_snapshot");
  });

  it("MCP-1 lets an original name beat a camelCased one, and numbers the rest in id order", () => {
    const guest = guestOf(mcpTool("s", "foo_bar"), mcpTool("s", "fooBar"), mcpTool("s", "foo-bar"));
    expect(guest.mcpMember("s", "fooBar")).toBe("mcp:s:fooBar");
    expect(guest.mcpMember("s", "fooBar_2")).toBe("mcp:s:foo-bar");
    expect(guest.mcpMember("s", "fooBar_3")).toBe("mcp:s:foo_bar");
  });

  it("MCP-1 numbers around an original name that looks numbered", () => {
    const guest = guestOf(mcpTool("s", "a-b"), mcpTool("s", "a_b"), mcpTool("s", "aB_2"));
    expect(guest.mcpMember("s", "aB_2")).toBe("mcp:s:aB_2");
    expect(guest.mcpMembers("s").map((name) => [name, guest.mcpMember("s", name)])).toEqual([
      ["aB", "mcp:s:a-b"],
      ["aB2", "mcp:s:aB_2"],
      ["aB_3", "mcp:s:a_b"],
    ]);
  });

  it.each(["$api", "resources", "prompts", "then", "toJSON", "constructor", "hasOwnProperty"])(
    "MCP-1 moves the reserved name %s aside",
    (name) => {
      const guest = guestOf(mcpTool("s", name));
      expect(guest.mcpMember("s", `${name}_`)).toBe(`mcp:s:${name}`);
      expect(guest.mcpMember("s", name)).toBeUndefined();
    },
  );

  it("MCP-1 moves reserved server names aside and keeps colliding servers apart", () => {
    const guest = guestOf(mcpTool("then", "a"), mcpTool("my-app", "who"), mcpTool("my_app", "who"));
    expect(guest.mcpServer("then")).toBeUndefined();
    expect(guest.mcpMember("then_", "a")).toBe("mcp:then:a");
    expect(
      guest
        .serverNames()
        .map((name) => guest.mcpMember(name, "who"))
        .filter((id) => id !== undefined)
        .sort(),
    ).toEqual(["mcp:my-app:who", "mcp:my_app:who"]);
  });

  it("MCP-1 gives every name an identifier, whatever it is made of", () => {
    const guest = guestOf(
      mcpTool("9lives", "🎉"),
      mcpTool("9lives", "搜索"),
      mcpTool("9lives", "1st-tool"),
      mcpTool("9lives", ""),
    );
    expect(guest.serverNames()).toEqual(["_9lives"]);
    for (const name of guest.mcpMembers("_9lives")) expect(name).toMatch(/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u);
    expect(guest.mcpMember("_9lives", "搜索")).toBe("mcp:9lives:搜索");
    expect(guest.mcpMembers("_9lives")).toHaveLength(4);
  });

  it("MCP-4 offers resources and prompts only where the server does", () => {
    const guest = guestOf(
      mcpSpecial("docs", "resources.read"),
      mcpSpecial("docs", "prompts.get"),
      mcpTool("docs", "search"),
      mcpTool("plain", "x"),
    );
    expect(guest.mcpSpecial("docs")).toEqual(["prompts.get", "resources.read"]);
    expect(guest.mcpSpecialMember("docs", "resources.read")).toBe("mcp:docs:resources.read");
    expect(guest.mcpMembers("docs")).toEqual(["search"]);
    expect(guest.mcpSpecial("plain")).toEqual([]);
  });

  it("refuses two tools that stand for one special member", () => {
    const twin = { ...mcpSpecial("docs", "resources.read"), name: "other" };
    expect(() => buildCatalog({ tools: [mcpSpecial("docs", "resources.read"), twin] })).toThrow(/resources\.read/);
  });
});
