import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { gatewayConfigJsonSchema } from "../../src/config/config-schema.ts";
import { type LoadConfigOptions, loadConfig } from "../../src/config/load-config.ts";
import { openTools } from "../../src/open-tools.ts";
import { TemporaryFolder } from "../temporary-folder.ts";

function errorOf(options: LoadConfigOptions): string {
  try {
    loadConfig(options);
  } catch (error) {
    return (error as Error).message;
  }
  return "no error";
}

it("CONF-1 without any file the defaults hold and the working folder is the workspace", () => {
  using folder = new TemporaryFolder();
  const config = loadConfig({ cwd: folder.path, env: { HOME: folder.path } });
  expect(config).toMatchObject({
    file: undefined,
    workspace: folder.path,
    gateway: { host: "127.0.0.1", port: 18_790, dataDir: join(folder.path, ".codemode") },
    mcpServers: {},
    plugins: [],
  });
  expect(config.codeMode.enabled).toBe(false);
});

it("CONF-1 --config wins over $CODEMODE_CONFIG, that over the working folder, that over the user's folder", () => {
  using folder = new TemporaryFolder();
  const user = folder.write("home/.config/codemode/codemode.config.json5", "{}");
  const env = { HOME: join(folder.path, "home") };
  expect(loadConfig({ cwd: folder.path, env }).file).toBe(user);
  const yaml = folder.write("codemode.config.yaml", "{}");
  expect(loadConfig({ cwd: folder.path, env }).file).toBe(yaml);
  const json = folder.write("codemode.config.json", "{}");
  expect(loadConfig({ cwd: folder.path, env }).file).toBe(json);
  const json5 = folder.write("codemode.config.json5", "{}");
  expect(loadConfig({ cwd: folder.path, env }).file).toBe(json5);
  const named = folder.write("named.json", "{}");
  expect(loadConfig({ cwd: folder.path, env: { ...env, CODEMODE_CONFIG: "named.json" } }).file).toBe(named);
  const explicit = folder.write("explicit.json", "{}");
  expect(loadConfig({ cwd: folder.path, env: { CODEMODE_CONFIG: named }, file: "explicit.json" }).file).toBe(explicit);
});

it("CONF-1 the documented shape is read from JSON5, JSON and YAML alike", () => {
  using folder = new TemporaryFolder();
  const shape = {
    gateway: { host: "127.0.0.1", port: 1234, dataDir: "./data", auth: { token: "a-token" } },
    models: { default: "local/m", providers: { local: { api: "openai-chat", baseUrl: "http://127.0.0.1:1/v1" } } },
    agents: { main: { model: "local/m", instructions: "Be brief.", maxTurns: 4, tools: { deny: ["exec"] } } },
    tools: {
      allow: ["*"],
      deny: [],
      approval: { default: "never", rules: [{ match: "openclaw:core:exec", mode: "always" }] },
      codeMode: { enabled: true, timeoutMs: 500 },
    },
    mcp: { servers: { docs: { url: "https://example.org/mcp", headers: {} } } },
    plugins: [],
    workspace: "./work",
  };
  folder.write("work/file", "");
  folder.write("a.json5", `// comment\n${JSON.stringify(shape)}`);
  folder.write("a.json", JSON.stringify(shape));
  folder.write("a.yaml", JSON.stringify(shape, undefined, 1));
  const read = ["a.json5", "a.json", "a.yaml"].map((file) => loadConfig({ cwd: folder.path, env: {}, file }));
  expect({ ...read[1], file: 0 }).toEqual({ ...read[0], file: 0 });
  expect({ ...read[2], file: 0 }).toEqual({ ...read[0], file: 0 });
  expect(read[0]?.codeMode).toMatchObject({ enabled: true, timeoutMs: 500 });
  expect(read[0]?.workspace).toBe(join(folder.path, "work"));
});

it("CONF-1 ${NAME} is filled in from the environment, also with a fallback, and $${NAME} stays", () => {
  using folder = new TemporaryFolder();
  folder.write("c.json5", '{ gateway: { host: "${A}-${B:-b}", auth: { token: "$${A}" } } }');
  const { gateway } = loadConfig({ cwd: folder.path, env: { A: "a" }, file: "c.json5" });
  expect(gateway).toMatchObject({ host: "a-b", token: "${A}" });
});

it("CONF-1 an unset variable is an error that names file, line and key", () => {
  using folder = new TemporaryFolder();
  const file = folder.write("c.json5", '{\n  gateway: {\n    auth: { token: "${NOT_SET}" },\n  },\n}');
  expect(errorOf({ cwd: folder.path, env: {}, file })).toBe(
    `${file}:3: gateway.auth.token: the environment variable NOT_SET is not set. Set it, or write \${NOT_SET:-fallback} to give a default.`,
  );
});

it("CONF-2 mcpServers is accepted in the file beside mcp.servers, but not the same name in both", () => {
  using folder = new TemporaryFolder();
  folder.write(
    "ok.json5",
    '{ mcp: { servers: { a: { command: "a" } } }, mcpServers: { b: { type: "stdio", command: "b" } } }',
  );
  const { mcpServers } = loadConfig({ cwd: folder.path, env: {}, file: "ok.json5" });
  expect(mcpServers).toEqual({
    a: { command: "a", cwd: folder.path },
    b: { type: "stdio", command: "b", cwd: folder.path },
  });
  folder.write("twice.json5", '{ mcp: { servers: { a: { command: "a" } } }, mcpServers: { a: { command: "b" } } }');
  expect(errorOf({ cwd: folder.path, env: {}, file: "twice.json5" })).toContain("the MCP server a stands in");
});

it("CONF-2 --mcp-config takes a file of another client, ignores its own keys and leaves out disabled servers", () => {
  using folder = new TemporaryFolder();
  folder.write(
    "sub/.mcp.json",
    JSON.stringify({
      inputs: [],
      mcpServers: {
        one: { command: "one", autoApprove: ["x"], env: { KEY: "${KEY}" } },
        two: { type: "http", url: "https://example.org/mcp" },
        off: { command: "off", disabled: true },
      },
    }),
  );
  const { mcpServers } = loadConfig({ cwd: folder.path, env: { KEY: "k" }, mcpConfigFile: "sub/.mcp.json" });
  expect(mcpServers).toEqual({
    one: { command: "one", env: { KEY: "k" }, cwd: join(folder.path, "sub") },
    two: { type: "http", url: "https://example.org/mcp" },
  });
});

it.each([
  ["an unknown key at the top", "{\n  pluginz: [],\n}", ":2: pluginz: unknown key. Did you mean plugins"],
  [
    "an unknown key inside",
    "{ tools: {\n codeMode: {\n  enabled: true,\n  timeoutMS: 5 } } }",
    ":4: tools.codeMode.timeoutMS: unknown key. Did you mean timeoutMs",
  ],
  ["a wrong type", '{ gateway: {\n  port: "80" } }', ':2: gateway.port: found "80", expected number.'],
  [
    "a value out of a list",
    '{ models: { providers: {\n  x: { api: "opnai" } } } }',
    ':2: models.providers.x.api: found "opnai", accepted: "openai-chat"',
  ],
  [
    "a server without command and url",
    "{ mcpServers: {\n  a: {} } }",
    ":2: mcpServers.a: found an object, expected either command",
  ],
  [
    "an unknown group",
    '{ tools: { deny: ["read",\n "group:files"] } }',
    ':2: tools.deny.1: found "group:files", unknown group; groups are group:core',
  ],
  ["a list where an object is expected", "{ agents: [] }", ":1: agents: found a list, expected object."],
  ["a syntax error", "{\n  tools: [}", ":2:11: invalid character '}'"],
])("CONF-3 %s is named by file, line, key path and what is accepted", (_what, text, message) => {
  using folder = new TemporaryFolder();
  const file = folder.write("bad.json5", text);
  expect(errorOf({ cwd: folder.path, env: {}, file })).toContain(`${file}${message}`);
});

it("CONF-3 YAML errors name their line too", () => {
  using folder = new TemporaryFolder();
  const file = folder.write("bad.yaml", "tools:\n  codeMode:\n    enabledd: true\n");
  expect(errorOf({ cwd: folder.path, env: {}, file })).toContain(
    `${file}:3: tools.codeMode.enabledd: unknown key. Did you mean enabled`,
  );
});

it("CONF-3 JSON and YAML name the line of the key itself, also where its value stands below it", () => {
  using folder = new TemporaryFolder();
  const json = folder.write("bad.json", '{\n  "models": {\n    "providers": {\n      "x": { "ap": 1 } } } }');
  expect(errorOf({ cwd: folder.path, env: {}, file: json })).toContain(`${json}:4: models.providers.x.ap: unknown key`);
  const yaml = folder.write(
    "bad.yaml",
    "tools:\n  deny:\n    - read\n    - group:nope\n  codeMode:\n    - 1\nworkspce: .\n",
  );
  const errors = errorOf({ cwd: folder.path, env: {}, file: yaml }).split("\n");
  expect(errors).toEqual([
    expect.stringMatching(/bad\.yaml:4: tools\.deny\.1: found "group:nope", unknown group/),
    expect.stringMatching(/bad\.yaml:5: tools\.codeMode: found a list, expected true, false or an object/),
    expect.stringMatching(/bad\.yaml:7: workspce: unknown key\. Did you mean workspace/),
  ]);
});

it("CONF-3 a workspace or a plugin that is not there is named by file, line and key", () => {
  using folder = new TemporaryFolder();
  const file = folder.write("c.json5", '{\n  workspace: "./none",\n}');
  expect(errorOf({ cwd: folder.path, env: {}, file })).toBe(
    `${file}:2: workspace: found "./none", expected an existing folder; ${join(folder.path, "none")} is none. Create it or correct the path.`,
  );
  folder.write("p.mjs", "");
  const plugins = folder.write("p.yaml", "plugins:\n  - ./p.mjs\n  - ./q.mjs\n");
  expect(errorOf({ cwd: folder.path, env: {}, file: plugins })).toContain(
    `${plugins}:3: plugins.1: plugin ./q.mjs: the module cannot be loaded`,
  );
});

it("CONF-3 a plugin that cannot be loaded is named by its place in the file when the tools are opened", async () => {
  using folder = new TemporaryFolder();
  folder.write("p.mjs", "export default {");
  const file = folder.write("c.json5", '{\n  plugins: [\n    "./p.mjs",\n  ],\n}');
  const config = loadConfig({ cwd: folder.path, env: {}, file });
  await expect(openTools({ config })).rejects.toThrow(
    `${file}:3: plugins.0: plugin ./p.mjs: the module cannot be loaded`,
  );
});

it("CONF-3 a file that was named and cannot be read is an error", () => {
  using folder = new TemporaryFolder();
  expect(errorOf({ cwd: folder.path, env: {}, file: "none.json5" })).toContain("none.json5: the file cannot be read");
});

it("CONF-3 an agent's code mode is checked at start, and cannot set what bounds the process", () => {
  using folder = new TemporaryFolder();
  folder.write("c.json5", "{ agents: { a: { tools: { codeMode: { maxSuspendedRuns: 5 } } } } }");
  expect(errorOf({ cwd: folder.path, env: {}, file: "c.json5" })).toContain(
    "agents.a.tools.codeMode.maxSuspendedRuns cannot be set per agent",
  );
});

it("CFG-5 an agent overrides code mode field by field; what bounds the process is refused", () => {
  using folder = new TemporaryFolder();
  folder.write(
    "ok.json5",
    "{ agents: { a: { tools: { codeMode: true } }, b: { tools: { codeMode: { timeoutMs: 200 } } } } }",
  );
  expect(Object.keys(loadConfig({ cwd: folder.path, env: {}, file: "ok.json5" }).agents)).toEqual(["a", "b"]);
  folder.write("no.json5", "{ agents: { a: { tools: { codeMode: { maxConcurrentCells: 2 } } } } }");
  expect(errorOf({ cwd: folder.path, env: {}, file: "no.json5" })).toContain(
    "agents.a.tools.codeMode.maxConcurrentCells cannot be set per agent",
  );
});

it("the published config.schema.json is what the parser's source generates; pnpm schema:write renews it", () => {
  const published = readFileSync(new URL("../../config.schema.json", import.meta.url), "utf8");
  expect(JSON.parse(published)).toEqual(JSON.parse(JSON.stringify(gatewayConfigJsonSchema())));
});
