import { expect, it } from "vitest";
import { TemporaryFolder } from "../temporary-folder.ts";
import { runCli } from "./run-cli.ts";

it("CLI-10 show prints one value a line with its origin, or JSON, and check and schema do what they say", async () => {
  using folder = new TemporaryFolder();
  const file = folder.write("codemode.config.json5", '{\n  gateway: { port: 7, auth: { token: "${T}" } },\n}');
  const env = { T: "a-token-nobody-may-see" };
  const { code, stdout } = await runCli(folder, ["config", "show"], { env });
  expect(code).toBe(0);
  const lines = stdout.trimEnd().split("\n");
  expect(lines).toContain(`gateway.port = 7  (${file}:2)`);
  expect(lines).toContain(`gateway.auth.token = "********"  (${file}:2 $T)`);
  expect(lines).toContain('gateway.host = "127.0.0.1"  (default)');
  const json = JSON.parse((await runCli(folder, ["config", "show", "--json"], { env })).stdout) as {
    file: string;
    entries: object[];
  };
  expect([json.file, json.entries.length]).toEqual([file, lines.length]);
  expect((await runCli(folder, ["config", "check"], { env })).stdout).toBe(`${file}: ok (0 MCP servers, 0 plugins)\n`);
  const schema = JSON.parse((await runCli(folder, ["config", "schema"])).stdout) as { properties: object };
  expect(Object.keys(schema.properties)).toContain("mcpServers");
});

it("CLI-10 check refuses a workspace that is not there", async () => {
  using folder = new TemporaryFolder();
  const file = folder.write("codemode.config.json5", '{\n  workspace: "./none",\n}');
  const { code, stderr } = await runCli(folder, ["config", "check"]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(`error: ${file}:2: workspace: found "./none"`)]);
});

it("the demo refuses a configuration that cannot be read instead of ignoring it", async () => {
  using folder = new TemporaryFolder();
  const { code, stderr } = await runCli(folder, ["demo", "--config", "missing.json5"]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("missing.json5: the file cannot be read")]);
});

it("CLI-6 names and descriptions cannot move the cursor or add lines to the list", async () => {
  using folder = new TemporaryFolder();
  folder.write(
    "p.mjs",
    'export default { id: "p", tools: [{ name: "evil", description: "Looks\\u001b[2K\\u202e fine\\tor\\r so. More.", parameters: {}, execute: () => null }] };',
  );
  folder.write("codemode.config.json5", '{ plugins: ["./p.mjs"] }');
  for (const args of [["tools"], ["tools", "evil"], ["tools", "--describe", "evil"], ["tools", "--explain"]]) {
    const { code, stdout } = await runCli(folder, args);
    expect([args, code]).toEqual([args, 0]);
    expect(stdout).toContain("evil");
    expect(stdout.replaceAll(/[\n\t]/g, "")).not.toMatch(/[\p{Cc}\u202e]/u);
  }
});
