import { chmodSync, mkdirSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import type { Check } from "../../src/cli/doctor/check.ts";
import { TemporaryFolder } from "../temporary-folder.ts";
import { runCli } from "./run-cli.ts";

const filesystem = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-filesystem/dist/index.js"));

async function doctor(folder: TemporaryFolder, config: unknown, env: Record<string, string> = {}) {
  folder.write("codemode.config.json5", typeof config === "string" ? config : JSON.stringify(config));
  const { code, stdout } = await runCli(folder, ["doctor", "--json"], { env });
  const { ok, checks } = JSON.parse(stdout) as { ok: boolean; checks: Check[] };
  return { code, ok, checks, of: (name: string) => checks.filter((check) => check.name === name) };
}

it("CLI-7 a healthy installation is ok in one line each: a program really ran, a server really answered", async () => {
  using folder = new TemporaryFolder();
  const config = {
    gateway: { port: 0 },
    models: { default: "s/x" },
    tools: { codeMode: true },
    mcpServers: { files: { command: process.execPath, args: [filesystem, folder.path] } },
  };
  folder.write("codemode.config.json5", JSON.stringify(config));
  const { code, stdout } = await runCli(folder, ["doctor"]);
  const lines = stdout.trimEnd().split("\n");
  expect(code).toBe(0);
  expect(lines.every((line) => /^(ok|warn|fail) {2,4}\S/.test(line))).toBe(true);
  const names = ["node", "config", "code mode", "models", "token", "quickjs-wasi", "mcp files", "port", "data folder"];
  expect(lines.map((line) => line.slice(6, 20).trim())).toEqual(names);
  expect(lines.find((line) => line.includes("quickjs-wasi"))).toMatch(/^ok .*a program ran, was suspended and went on/);
  expect(lines.find((line) => line.includes("mcp files"))).toMatch(/^ok .*ready, \d+ tools/);
});

it("CLI-7 what does not work fails with its fix, and the exit code is 1", async () => {
  using folder = new TemporaryFolder();
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const dataDir = folder.write("not-a-folder", "");
  const report = await doctor(
    folder,
    {
      gateway: { port: (other.address() as AddressInfo).port, dataDir, auth: { token: "short" } },
      mcpServers: { gone: { command: "no-such-command-\u001b[31m" } },
    },
    { OPENCLAW_DEBUG_SSE: "peak" },
  );
  other.close();
  expect([report.code, report.ok]).toEqual([1, false]);
  for (const name of ["mcp gone", "port", "data folder"])
    expect(report.of(name)).toEqual([{ name, status: "fail", message: expect.any(String), fix: expect.any(String) }]);
  expect(report.of("port")[0]?.message).toContain("taken by another program");
  for (const name of ["token", "models", "debug"]) expect([name, report.of(name)[0]?.status]).toEqual([name, "warn"]);
});

it("CLI-7 a broken configuration is named by file, line and key, and nothing that needs it is checked", async () => {
  using folder = new TemporaryFolder();
  const report = await doctor(folder, "{\n  gatewai: {},\n}");
  expect([report.code, report.checks.map(({ name, status }) => `${name} ${status}`)]).toEqual([
    1,
    ["node ok", "config fail"],
  ]);
  expect(report.of("config")[0]?.message).toMatch(
    /codemode\.config\.json5:2: gatewai: unknown key\. Did you mean gateway/,
  );
});

it("CLI-7 a server whose tools an agent cannot see is named with the rule that hides it", async () => {
  using folder = new TemporaryFolder();
  const report = await doctor(folder, {
    gateway: { port: 0 },
    tools: { codeMode: true },
    agents: { reader: { tools: { deny: ["mcp:files:*"] } } },
    mcpServers: { files: { command: process.execPath, args: [filesystem, folder.path] } },
  });
  const [ready, hidden] = report.of("mcp files");
  expect([report.code, ready?.status, hidden?.status]).toEqual([0, "ok", "warn"]);
  expect(hidden?.message).toBe('agent reader sees none of its tools (agents.reader.tools.deny: "mcp:files:*")');
});

it("CLI-7 the sandbox gate is named when it hides a configured server, with the key that opens it", async () => {
  using folder = new TemporaryFolder();
  const config = {
    gateway: { port: 0 },
    tools: { codeMode: true },
    agents: { boxed: { sandbox: { mode: "all" } } },
    mcpServers: { files: { command: process.execPath, args: [filesystem, folder.path] } },
  };
  const closed = await doctor(folder, config);
  expect(closed.of("mcp files")[1]).toMatchObject({
    status: "warn",
    message: expect.stringMatching(/agent boxed sees none.*sandbox/),
  });
  expect(JSON.stringify(closed.of("mcp files")[1])).toContain("bundle-mcp");
  const tools = { codeMode: true, sandbox: { tools: { alsoAllow: ["bundle-mcp"] } } };
  expect((await doctor(folder, { ...config, tools })).of("mcp files").length).toBe(1);
});

it("CLI-7 a token file that others can read is a warning with the command that mends it", async () => {
  using folder = new TemporaryFolder();
  mkdirSync(`${folder.path}/.codemode`);
  chmodSync(folder.write(".codemode/token", "x"), 0o644);
  const report = await doctor(folder, { gateway: { port: 0 } });
  expect(report.of("token")).toEqual([
    {
      name: "token",
      status: "warn",
      message: expect.stringContaining("can be read by others"),
      fix: expect.stringContaining("chmod 600"),
    },
  ]);
});
