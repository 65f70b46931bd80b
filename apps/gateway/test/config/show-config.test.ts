import { join } from "node:path";
import { expect, it } from "vitest";
import type { LoadConfigOptions } from "../../src/config/load-config.ts";
import { type ConfigEntry, showConfig } from "../../src/config/show-config.ts";
import { TemporaryFolder } from "../temporary-folder.ts";

function shown(options: LoadConfigOptions): ReadonlyMap<string, ConfigEntry> {
  return new Map(showConfig(options).entries.map((entry) => [entry.key, entry]));
}

const secret = "s3cr3t-value-0815";

it("CLI-10 show gives every value with its origin: file and line, variable, default", () => {
  using folder = new TemporaryFolder();
  const text = `{\n  gateway: {\n    port: 5,\n    dataDir: "./d" },\n  models: { default: "\${WHICH}/x" },\n  tools: { codeMode: { timeoutMs: 999999 } },\n}`;
  const file = folder.write("c.json5", text);
  const entries = shown({ cwd: folder.path, env: { WHICH: "local" }, file });
  expect(entries.get("gateway.port")).toEqual({
    key: "gateway.port",
    value: 5,
    origin: { kind: "file", file, line: 3 },
  });
  expect(entries.get("gateway.dataDir")).toMatchObject({ value: join(folder.path, "d"), origin: { line: 4 } });
  expect(entries.get("models.default")).toMatchObject({ value: "local/x", origin: { file, line: 5, env: ["WHICH"] } });
  expect(entries.get("gateway.host")).toEqual({ key: "gateway.host", value: "127.0.0.1", origin: { kind: "default" } });
  expect(entries.get("workspace")).toMatchObject({ value: folder.path, origin: { kind: "default" } });
  // what holds, not what was written: out of range is clamped
  expect(entries.get("tools.codeMode.timeoutMs")).toMatchObject({ value: 60_000, origin: { kind: "file", line: 6 } });
  expect(entries.get("tools.codeMode.enabled")).toMatchObject({ value: false, origin: { kind: "default" } });
});

it("CLI-10 show masks keys, tokens, variables and headers of servers, and whatever comes from a secret variable", () => {
  using folder = new TemporaryFolder();
  const input = {
    gateway: { auth: { token: secret } },
    models: {
      providers: { p: { api: "openai-chat", baseUrl: `https://me:${secret}@example.org/v1`, apiKey: "${P_KEY}" } },
    },
    mcp: { servers: { a: { command: "a", args: ["--token", "${A_TOKEN}"], env: { ANY: secret } } } },
    mcpServers: { b: { url: "https://example.org/mcp", headers: { "X-Auth": secret } } },
  };
  const file = folder.write("c.json", JSON.stringify(input));
  const env = { P_KEY: secret, A_TOKEN: secret };
  const entries = shown({ cwd: folder.path, env, file });
  expect(JSON.stringify([...entries.values()])).not.toContain(secret);
  for (const key of [
    "gateway.auth.token",
    "models.providers.p.apiKey",
    "mcp.servers.a.args.1",
    "mcp.servers.a.env.ANY",
    "mcpServers.b.headers.X-Auth",
  ])
    expect([key, entries.get(key)?.value]).toEqual([key, "********"]);
  expect(entries.get("models.providers.p.apiKey")?.origin).toMatchObject({ kind: "file", env: ["P_KEY"] });
});

it("CLI-10 show takes servers of --mcp-config in place of those of the same name, with their file", () => {
  using folder = new TemporaryFolder();
  folder.write("c.json5", '{ mcpServers: { a: { command: "old", cwd: "." }, b: { command: "b" } } }');
  const foreign = folder.write(".mcp.json", '{\n "mcpServers": {\n  "a": { "command": "new" } } }');
  const entries = shown({ cwd: folder.path, env: {}, file: "c.json5", mcpConfigFile: ".mcp.json" });
  expect(entries.get("mcpServers.a.command")).toMatchObject({ value: "new", origin: { file: foreign, line: 3 } });
  expect(entries.has("mcpServers.a.cwd")).toBe(false);
  expect(entries.get("mcpServers.b.command")).toMatchObject({ value: "b" });
});
