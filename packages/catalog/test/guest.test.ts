import { describe, expect, it } from "vitest";
import { createGuestCatalog } from "../src/guest.ts";
import { buildCatalog } from "../src/index.ts";
import { coreTool, mcpTool } from "./fixture-tools.ts";

const tools = [coreTool("read"), coreTool("write"), mcpTool("github", "create_issue"), mcpTool("github", "7zip")];
const guest = createGuestCatalog(buildCatalog({ tools }).guestText);

describe("createGuestCatalog", () => {
  it("GUEST-2 gives ALL_TOOLS as one JSON text, the same at each call", () => {
    expect(JSON.parse(guest.allToolsText()).map(({ id }: { id: string }) => id)).toEqual([
      "openclaw:core:read",
      "openclaw:core:write",
    ]);
    expect(guest.allToolsText()).toBe(guest.allToolsText());
  });

  it("finds tools by convenience name", () => {
    expect(guest.toolId("read")).toBe("openclaw:core:read");
    expect(guest.toolNames()).toEqual(["read", "write"]);
    expect(guest.toolId("create_issue")).toBeUndefined();
  });

  it.each(["constructor", "__proto__", "toString", "hasOwnProperty"])(
    "answers %s with nothing, never with a prototype member",
    (name) => {
      expect(guest.toolId(name)).toBeUndefined();
      expect(guest.mcpServer(name)).toBeUndefined();
      expect(guest.mcpMember(name, name)).toBeUndefined();
      expect(guest.mcpMember("github", name)).toBeUndefined();
      expect(guest.mcpSpecialMember("github", name)).toBeUndefined();
      expect(guest.mcpMembers(name)).toEqual([]);
    },
  );

  it("keeps hostile keys of the table as data", () => {
    const forged = createGuestCatalog(
      '{"allTools":[],"names":{"__proto__":"x","ok":"y"},"mcp":{"__proto__":{"server":"s","members":{"__proto__":"z"}}}}',
    );
    expect(forged.toolId("__proto__")).toBe("x");
    expect(({} as { ok?: unknown }).ok).toBeUndefined();
    expect(forged.mcpMember("__proto__", "__proto__")).toBe("z");
  });

  it("lists members in guest spelling, also beside names that engines sort first", () => {
    expect(guest.mcpMembers("github")).toEqual(["_7zip", "createIssue"]);
    expect(guest.mcpMember("github", "7zip")).toBe("mcp:github:7zip");
    const numeric = createGuestCatalog(buildCatalog({ tools: [mcpTool("n", "42"), mcpTool("n", "x_y")] }).guestText);
    expect(numeric.mcpMembers("n")).toEqual(["_42", "xY"]);
  });

  it("suggests the nearest names", () => {
    expect(guest.nearestTool("raed")).toEqual(["read"]);
    expect(guest.nearestServer("githib")).toEqual(["github"]);
    expect(guest.nearestMember("github", "create_issues")).toEqual(["createIssue"]);
    expect(guest.nearestMember("nowhere", "x")).toEqual([]);
  });
});
