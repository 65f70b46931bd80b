import { expect, it } from "vitest";
import { CliFolder, mcpServerFile, samplePlugin } from "./cli-process.ts";

function configured(): CliFolder {
  const folder = new CliFolder();
  const all = { command: process.execPath, args: [mcpServerFile("everything")] };
  folder.write("codemode.config.json5", { plugins: [samplePlugin], mcpServers: { all }, tools: { deny: ["grep"] } });
  return folder;
}

it("CLI-6 tools lists core, plugin and MCP tools that policy admits", async () => {
  using folder = configured();
  const { code, stdout } = await folder.run(["tools", "--json"]);
  const ids = (JSON.parse(stdout) as { id: string }[]).map(({ id }) => id);
  expect(code).toBe(0);
  for (const id of ["openclaw:core:ls", "openclaw:core:read", "openclaw:sample:warehouse_count", "mcp:all:get-sum"])
    expect(ids).toContain(id);
  expect(ids).not.toContain("openclaw:core:grep");
  const text = await folder.run(["tools"]);
  expect(text.stdout).toMatch(/^openclaw:core:ls +List the files/m);
});

it("CLI-6 tools with a query finds tools of all sources, best first", async () => {
  using folder = configured();
  const { stdout } = await folder.run(["tools", "sum of two numbers", "--json"]);
  expect((JSON.parse(stdout) as { path: string }[])[0]).toMatchObject({
    id: "mcp:all:get-sum",
    path: "MCP.all.getSum",
    server: "all",
  });
});

it("CLI-6 tools --describe shows the schemas, and an unknown id names the nearest", async () => {
  using folder = configured();
  const { stdout } = await folder.run(["tools", "--describe", "openclaw:sample:warehouse_count", "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({
    parameters: { required: ["item"] },
    outputSchema: { required: ["item", "total"] },
  });
  const byPath = await folder.run(["tools", "--describe", "MCP.all.getSum", "--json"]);
  expect(JSON.parse(byPath.stdout)).toMatchObject({ id: "mcp:all:get-sum" });
  const unknown = await folder.run(["tools", "--describe", "openclaw:core:raed"]);
  expect([unknown.code, unknown.stdout]).toEqual([1, ""]);
  expect(unknown.stderr).toContain("Did you mean openclaw:core:read");
});
