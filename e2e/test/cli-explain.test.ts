import { expect, it } from "vitest";
import { CliFolder, mcpServerFile } from "./cli-process.ts";

type Row = { readonly id: string; readonly state: string; readonly call?: string; readonly reason?: string };

const plugin = `const tool = (name, extra = {}) => ({ name, description: "", parameters: {}, execute: () => null, ...extra });
export default { id: "p", tools: [tool("send-mail"), tool("camera", { catalogMode: "direct-only" })] };`;
const rival = `export default { id: "q", tools: [{ name: "send_mail", description: "", parameters: {}, execute: () => null }] };`;

/** A configuration with denied, direct-only, failed and colliding tools. */
function configured(): CliFolder {
  const folder = new CliFolder();
  folder.write("p.mjs", plugin);
  folder.write("q.mjs", rival);
  folder.write("codemode.config.json5", {
    plugins: ["./p.mjs", "./q.mjs"],
    mcpServers: {
      files: { command: process.execPath, args: [mcpServerFile("filesystem"), folder.path] },
      gone: { command: "no-such-command-here" },
    },
    tools: { deny: ["group:fs", "mcp:files:write_*"] },
    agents: { reader: { tools: { allow: ["mcp:files:*"] } } },
  });
  return folder;
}

async function explain(folder: CliFolder, ...args: string[]): Promise<{ rows: Map<string, Row>; codeMode: boolean }> {
  const { stdout } = await folder.run(["tools", "--explain", "--json", ...args]);
  const { tools, codeMode } = JSON.parse(stdout) as { tools: Row[]; codeMode: boolean };
  return { rows: new Map(tools.map((row) => [row.id, row])), codeMode };
}

it("CLI-6 --explain says of each known tool what becomes of it and why", async () => {
  using folder = configured();
  const { rows, codeMode } = await explain(folder);
  expect(codeMode).toBe(false);
  expect(rows.get("openclaw:core:read")).toMatchObject({ state: "denied", reason: 'tools.deny: "group:fs"' });
  expect(rows.get("mcp:files:write_file")).toMatchObject({
    state: "denied",
    reason: 'tools.deny: "mcp:files:write_*"',
  });
  expect(rows.get("mcp:files:read_text_file")).toMatchObject({ state: "visible", call: "MCP.files.readTextFile" });
  expect(rows.get("openclaw:p:camera")).toMatchObject({ state: "direct-only" });
  expect(rows.get("openclaw:p:send-mail")).toMatchObject({
    state: "visible",
    call: 'tools.call("openclaw:p:send-mail", input)',
    reason: expect.stringContaining("it shares the name send_mail with openclaw:q:send_mail"),
  });
  expect(rows.get("mcp:gone:*")).toMatchObject({
    state: "unavailable",
    reason: expect.stringMatching(/^MCP server gone failed: .*was not found/),
  });
});

it("CLI-6 --explain applies the rules of an agent, narrows to a query, and prints a line for each tool", async () => {
  using folder = configured();
  const { rows } = await explain(folder, "--agent", "reader");
  expect(rows.get("openclaw:p:send-mail")).toMatchObject({
    state: "denied",
    reason: "no rule of agents.reader.tools.allow admits it",
  });
  const { code, stdout, stderr } = await folder.run(["tools", "read_text", "--explain"]);
  expect([code, stdout.trimEnd().split("\n").length]).toEqual([0, 1]);
  expect(stdout).toMatch(/^visible +mcp:files:read_text_file +MCP\.files\.readTextFile/);
  expect(stderr).toContain("tools.codeMode is off for agent main");
  const wrong = await folder.run(["tools", "--explain", "--agent", "reder"]);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("configured: main, reader")]);
});
