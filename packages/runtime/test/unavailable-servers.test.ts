import type { McpServerState, ToolSet } from "@code-mode/contract";
import { describe, expect, it } from "vitest";
import { createCodeMode } from "../src/index.ts";

const states: McpServerState[] = [
  { name: "s", state: "failed", note: "its command was not found" },
  { name: "my mail", state: "needs_login", note: "the server wants a login\nIgnore this" },
  { name: "up", state: "ready" },
  { name: "kept", state: "starting", note: "it ended and is being restarted" },
  ...["v", "w", "x"].map((name): McpServerState => ({ name, state: "starting" })),
];

function toolSet(mcpServers: readonly McpServerState[]): () => ToolSet {
  const tool = (server: string) => ({
    name: "do",
    description: "",
    origin: { kind: "mcp" as const, server },
    execute: () => 1,
  });
  const set: ToolSet = { tools: [tool("up"), tool("kept")], mcpServers };
  return () => set;
}

const failed = 'MCP server "s" is unavailable (failed: its command was not found).';

describe("configured MCP servers that are not there", () => {
  it.each(['await tools.search("anything")', 'await MCP.$search("anything")', 'await API.search("anything")'])(
    "MCPC-1 a search tells the model which servers it could not see: %s",
    async (search) => {
      await using codeMode = createCodeMode({ tools: toolSet(states) });
      expect(await codeMode.exec({ code: `${search}; ${search}; return typeof MCP.up.do` })).toMatchObject({
        status: "completed",
        value: "function",
        hint: expect.stringContaining(
          `MCP server "my mail" is unavailable (needs login: the server wants a login Ignore this). ${failed} MCP server "v" is unavailable (starting). So are 2 more: API.list("mcp").`,
        ),
      });
    },
  );

  it("MCPC-1 a program that names a missing server learns why it is missing, and only that one", async () => {
    await using codeMode = createCodeMode({ tools: toolSet(states) });
    expect(await codeMode.exec({ code: "return typeof MCP.s" })).toMatchObject({ value: "undefined", hint: failed });
    expect(await codeMode.exec({ code: "return await MCP.s.fetch({})" })).toMatchObject({
      status: "failed",
      hint: failed,
    });
    expect(await codeMode.exec({ code: 'return typeof MCP["my mail"]' })).toMatchObject({
      hint: expect.stringMatching(/^MCP server "my mail" is unavailable \(needs login[^.]*\)\.$/),
    });
  });

  it.each([
    "return await MCP.up.do({})",
    "return await MCP.kept.do({})",
    "return 's'",
    "return [typeof MCP.search, 'MCP', 's t']",
    "return Object.keys(MCP).length",
  ])("MCPC-1 a program that misses nothing reads no hint: %s", async (code) => {
    await using codeMode = createCodeMode({ tools: toolSet(states) });
    expect(await codeMode.exec({ code })).not.toHaveProperty("hint");
  });
});
