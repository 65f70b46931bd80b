import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { loadConfig } from "../../src/config/load-config.ts";
import { TemporaryFolder } from "../temporary-folder.ts";

const text = readFileSync(new URL("../../../../docs/clients.md", import.meta.url), "utf8");

/** Heading and JSON of every client's configuration. */
const examples = [...text.matchAll(/^## ([^\n]+)\n((?:(?!^## )[\s\S])*?)```json\n([\s\S]*?)```/gm)].map(
  ([, heading = "", , json = ""]) => [heading, json] as const,
);

describe("docs/clients.md", () => {
  it("has an example for every client", () => {
    expect(examples.map(([heading]) => heading)).toEqual([
      "Claude Code",
      "Claude Desktop",
      "Cursor",
      "VS Code",
      "Gemini CLI",
    ]);
    expect(text).toContain("[mcp_servers.codemode]");
    expect(text).toContain("codemode mcp --mcp-config .mcp.json");
  });

  it.each(examples)("CONF-2 the example of %s is a file that codemode itself could wrap", (_heading, json) => {
    using folder = new TemporaryFolder();
    folder.write("servers.json", json);
    const { mcpServers } = loadConfig({
      cwd: folder.path,
      env: { workspaceFolder: folder.path },
      mcpConfigFile: "servers.json",
    });
    expect(mcpServers).toMatchObject({
      codemode: {
        command: expect.stringMatching(/codemode$/),
        args: ["mcp", "--mcp-config", expect.stringMatching(/servers\.json$/)],
      },
    });
  });
});
