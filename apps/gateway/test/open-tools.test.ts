import { expect, it } from "vitest";
import { createHost } from "../src/compose.ts";
import { resolveConfig } from "../src/config/load-config.ts";
import { openTools } from "../src/open-tools.ts";
import { TemporaryFolder } from "./temporary-folder.ts";

const scope = { agentId: "main", sessionId: "s", sessionKey: "s", agentRunId: "r" };

/** Without `view_image`: the model of these configurations takes no images. */
const coreNames = "read write edit ls find grep exec web_fetch message session_status".split(" ");

it("an MCP server that does not start leaves all other tools usable", async () => {
  using folder = new TemporaryFolder();
  const config = resolveConfig(
    { mcpServers: { broken: { command: "no-such-command-here" } } },
    { baseDir: folder.path },
  );
  await using tools = await openTools({ config });
  await tools.settled(20_000);
  expect(tools.mcpStates()).toMatchObject([
    { name: "broken", state: "failed", note: expect.stringContaining("was not found") },
  ]);
  expect(tools.of(scope).tools.map(({ name }) => name)).toEqual(coreNames);
});

it("a plugin that cannot be used stops the start before any server runs", async () => {
  using folder = new TemporaryFolder();
  const config = resolveConfig({ plugins: ["./none.mjs"] }, { baseDir: folder.path });
  await expect(openTools({ config })).rejects.toThrow("plugin ./none.mjs");
});

it("a plugin's tool and hook reach a program; a denied tool is unknown to it", async () => {
  using folder = new TemporaryFolder();
  folder.write("a.txt", "a");
  folder.write(
    "p.mjs",
    `export default { id: "p",
      tools: [{ name: "double", description: "", parameters: { type: "object" }, execute: ({ n }) => n * 2 }],
      hooks: { before_tool_call: ({ toolName, input }) => (toolName === "double" ? { input: { n: input.n + 1 } } : undefined) } };`,
  );
  const config = resolveConfig(
    { plugins: ["./p.mjs"], tools: { codeMode: true, allow: ["group:fs", "double"], deny: ["read"] } },
    { baseDir: folder.path },
  );
  await using host = await createHost({ config });
  const code = `const refused = await tools.call("openclaw:core:read", { path: "a.txt" }).catch((error) => error.message);
    return [await tools.double({ n: 1 }), ALL_TOOLS.map(({ name }) => name).sort(), refused]`;
  const result = await host.codeMode?.exec({ code }, { scope });
  expect(result).toMatchObject({
    status: "completed",
    value: [4, ["double", "edit", "find", "grep", "ls", "write"], expect.stringContaining("there is no tool")],
  });
});

it("a tool that wants an approval is refused where nobody can be asked, and a rule can let it run", async () => {
  using folder = new TemporaryFolder();
  folder.write(
    "p.mjs",
    'export default { id: "p", tools: [{ name: "send", description: "", parameters: {}, approval: "always", execute: () => "sent" }] };',
  );
  const run = async (rules: { match: string; mode: "never" | "always" }[]): Promise<unknown> => {
    const config = resolveConfig(
      { plugins: ["./p.mjs"], tools: { codeMode: true, approval: { rules } } },
      { baseDir: folder.path },
    );
    await using host = await createHost({ config });
    return await host.codeMode?.exec({ code: "return await tools.send({}).catch((error) => error.code)" }, { scope });
  };
  expect(await run([])).toMatchObject({ value: "approval_denied" });
  expect(await run([{ match: "openclaw:p:*", mode: "never" }])).toMatchObject({ value: "sent" });
});

it("an agent may switch code mode on for itself; an empty allow list shows no tools at all", async () => {
  using folder = new TemporaryFolder();
  const agents = { coder: { tools: { codeMode: true } }, silent: { tools: { codeMode: true, allow: [] } } };
  await using host = await createHost({ config: resolveConfig({ agents }, { baseDir: folder.path }) });
  const namesOf = async (agentId: string): Promise<string[]> =>
    (await host.activate({ ...scope, agentId })).tools.map(({ name }) => name);
  expect(await namesOf("main")).toEqual(coreNames);
  expect(await namesOf("coder")).toEqual(["exec", "wait"]);
  expect(await namesOf("silent")).toEqual([]);
});
