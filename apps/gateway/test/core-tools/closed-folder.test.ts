import { existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "@code-mode/contract";
import { expect, it } from "vitest";
import { resolveConfig } from "../../src/config/load-config.ts";
import { openTools } from "../../src/open-tools.ts";
import { TemporaryFolder } from "../temporary-folder.ts";
import { toolContext } from "../tool-context.ts";

it("CORE-1 the gateway's own data inside the workspace is out of reach of the file tools, through links too", async () => {
  using folder = new TemporaryFolder();
  folder.write(".codemode/token", "secret-token");
  folder.write(".codemode-notes/a.txt", "other");
  symlinkSync(join(folder.path, ".codemode"), join(folder.path, "link"));
  await using tools = await openTools({ config: resolveConfig({}, { baseDir: folder.path }) });
  const call = async (name: string, input: JsonObject): Promise<unknown> =>
    await tools
      .known()
      .find((tool) => tool.name === name)
      ?.execute(input, toolContext());
  const inputs: readonly (readonly [string, JsonObject])[] = [
    ["read", { path: ".codemode/token" }],
    ["read", { path: "link/token" }],
    ["write", { path: ".codemode/token", content: "mine" }],
    ["write", { path: "link/new/deep.txt", content: "mine" }],
    ["edit", { path: ".codemode/token", oldText: "secret", newText: "mine" }],
    ["ls", { path: ".codemode" }],
    ["find", { path: "link", pattern: "*" }],
    ["grep", { path: ".codemode", pattern: "secret" }],
    ["view_image", { path: ".codemode/token" }],
  ];
  for (const [name, input] of inputs)
    await expect(call(name, input), JSON.stringify([name, input])).rejects.toThrow("belongs to the gateway itself");
  expect(await call("grep", { pattern: "secret" })).toMatchObject({ matches: [] });
  expect(await call("find", { pattern: "token" })).toMatchObject({ paths: [] });
  expect(await call("read", { path: ".codemode-notes/a.txt" })).toMatchObject({ content: "other" });
});

it("CORE-1 a data folder that does not exist yet cannot be made by a file tool", async () => {
  using folder = new TemporaryFolder();
  await using tools = await openTools({ config: resolveConfig({}, { baseDir: folder.path }) });
  const write = tools.known().find(({ name }) => name === "write");
  const writing = async () => await write?.execute({ path: ".codemode/token", content: "mine" }, toolContext());
  await expect(writing()).rejects.toThrow("belongs to the gateway itself");
  expect(existsSync(join(folder.path, ".codemode"))).toBe(false);
});
