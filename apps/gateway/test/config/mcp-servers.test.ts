import { describe, expect, it } from "vitest";
import { type GatewayConfig, loadConfig, resolveConfig } from "../../src/config/load-config.ts";
import { TemporaryFolder } from "../temporary-folder.ts";

/** The servers of a file of another client, or the error about it. */
function foreign(text: string): GatewayConfig["mcpServers"] | string {
  using folder = new TemporaryFolder();
  folder.write("servers.json", text);
  return attempt(
    () => loadConfig({ cwd: folder.path, env: {}, mcpConfigFile: "servers.json" }).mcpServers,
    folder.path,
  );
}

/** The servers of a configuration of ours, or the error about it. */
function own(text: string, name = "c.json5"): GatewayConfig["mcpServers"] | string {
  using folder = new TemporaryFolder();
  folder.write(name, text);
  return attempt(() => loadConfig({ cwd: folder.path, env: {}, file: name }).mcpServers, folder.path);
}

function attempt<T>(load: () => T, folder: string): T | string {
  try {
    return load();
  } catch (error) {
    return (error as Error).message.replaceAll(`${folder}/`, "");
  }
}

describe("names of servers", () => {
  it.each([
    ['{\n mcpServers: {\n "": { command: "x" } } }', 'c.json5:3: mcpServers.: an MCP server cannot be named ""'],
    ['{\n mcpServers: {\n "  ": { command: "x" } } }', 'an MCP server cannot be named "  "'],
    [
      '{ mcp: { servers: {\n "__proto__": { command: "x" } } } }',
      "c.json5:2: mcp.servers.__proto__: an MCP server cannot",
    ],
  ])("CONF-3 %j is refused with file, line and path", (text, message) => {
    expect(own(text)).toContain(message);
    expect(own(text)).toContain("Give it a name with letters or digits.");
  });

  it("CONF-3 they are refused in YAML and in files of other clients too, and in code", () => {
    expect(own('mcpServers:\n  "": { command: x }\n', "c.yaml")).toMatch(/^c\.yaml:2: mcpServers\.: .*named ""/);
    expect(foreign('{ "mcpServers": {\n "__proto__": { "command": "x" } } }')).toMatch(/^servers\.json:2: .*__proto__/);
    const input = { mcpServers: { "": { command: "x" } } };
    expect(() => resolveConfig(input, { baseDir: "/" })).toThrow('an MCP server cannot be named ""');
  });
});

describe("keys of servers", () => {
  it("CONF-3 a misspelled key of our own file is named with the nearest one", () => {
    expect(own('{ mcpServers: { a: { command: "x",\n arg: ["y"] } } }')).toBe(
      "c.json5:2: mcpServers.a.arg: unknown key. Did you mean args? Known keys: type, command, args, env, cwd, url, headers, timeoutMs, disabled.",
    );
  });

  it.each([
    ["comand", "command"],
    ["arg", "args"],
    ["envs", "env"],
    ["header", "headers"],
    ["timeoutms", "timeoutMs"],
    ["disable", "disabled"],
  ])("CONF-3 %s in a file of another client is taken for %s, not dropped in silence", (key, near) => {
    expect(foreign(JSON.stringify({ mcpServers: { a: { command: "x", [key]: 1 } } }))).toMatch(
      new RegExp(`^servers\\.json:1: mcpServers\\.a\\.${key}: unknown key\\. Did you mean ${near}\\?`),
    );
  });

  it("CONF-2 keys that only other clients know are left out", () => {
    const only = {
      ...{ alwaysAllow: [], autoApprove: [], disabledTools: [], trust: true, timeout: 5, description: "d", icon: "i" },
      ...{ envFile: ".env", headersHelper: "h", includeTools: [], excludeTools: [], oauth: {}, enabled: true },
    };
    expect(foreign(JSON.stringify({ mcpServers: { a: { url: "https://example.org/mcp", ...only } } }))).toEqual({
      a: { url: "https://example.org/mcp" },
    });
  });

  it("CONF-2 the url of Gemini CLI and Windsurf, a server that is not enabled and the key of VS Code are understood", () => {
    const url = "https://example.org/mcp";
    const mcpServers = { a: { httpUrl: url }, b: { serverUrl: url }, c: { url, enabled: false } };
    expect(foreign(JSON.stringify({ mcpServers }))).toEqual({ a: { url }, b: { url } });
    expect(foreign(JSON.stringify({ inputs: [], servers: { a: { type: "http", url } } }))).toEqual({
      a: { type: "http", url },
    });
    expect(foreign('{ "servers": {\n "a": { "comand": "x" } } }')).toMatch(/^servers\.json:2: servers\.a\.comand/);
  });

  it("CONF-3 a file without servers says what it should hold", () => {
    expect(foreign("{}")).toBe("servers.json: mcpServers: found undefined, expected object.");
  });
});
