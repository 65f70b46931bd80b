import type { CodeModeTool, ModelTool, RunScope } from "@code-mode/contract";
import { createToolExecutor } from "@code-mode/runtime";
import { expect, it } from "vitest";
import { createHost, type Host } from "../../src/compose.ts";
import type { GatewayConfigInput } from "../../src/config/config-schema.ts";
import { resolveConfig } from "../../src/config/load-config.ts";
import { toolId } from "../../src/policy/tool-id.ts";
import { ToolSearch } from "../../src/tool-search/tool-search.ts";
import { TemporaryFolder } from "../temporary-folder.ts";

const scope: RunScope = { agentId: "main", sessionId: "s", sessionKey: "main:s", agentRunId: "r" };

const plugin = (id: string) => `const tool = (name, description, execute, extra) =>
  ({ name, description, parameters: { type: "object", properties: { n: { type: "number" } } }, execute, ...extra });
export default { id: "${id}", tools: [
  tool("double", "Doubles a number.", ({ n }, { sessionId, toolCallId }) => ({ twice: n * 2, sessionId, toolCallId })),
  tool("secret", "Doubles a number in secret.", () => "never"),
  tool("camera", "Takes a picture.", () => "click", { catalogMode: "direct-only" }),
], hooks: { before_tool_call: ({ toolName, input }) => (toolName === "double" ? { input: { n: input.n + 1 } } : undefined) } };`;

type Bench = AsyncDisposable & {
  readonly host: Host;
  tools(): Promise<readonly ModelTool[]>;
  call(name: string, input: object): Promise<unknown>;
};

async function open(tools: NonNullable<GatewayConfigInput["tools"]>, plugins = ["p"]): Promise<Bench> {
  const stack = new AsyncDisposableStack();
  const folder = stack.use(new TemporaryFolder());
  for (const id of plugins) folder.write(`${id}.mjs`, plugin(id));
  const config = resolveConfig(
    { plugins: plugins.map((id) => `./${id}.mjs`), tools: { deny: ["secret", "group:core"], ...tools } },
    { baseDir: folder.path },
  );
  const host = stack.use(await createHost({ config }));
  const list = async (): Promise<readonly ModelTool[]> => (await host.activate(scope)).tools;
  return {
    host,
    tools: list,
    call: async (name, input) =>
      (await list()).find((tool) => tool.name === name)?.call(input, { scope, toolCallId: "call-1" }),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

const namesOf = async (bench: Bench): Promise<string[]> => (await bench.tools()).map(({ name }) => name);
const controls = ["tool_search", "tool_describe", "tool_call"];

it("POL-3 toolSearch shows its three controls and the direct-only tools in place of the tools; it is off by default", async () => {
  await using off = await open({});
  expect(await namesOf(off)).toEqual(["double", "camera"]);
  for (const toolSearch of [true, {}, { maxResults: 3 }]) {
    await using on = await open({ toolSearch });
    expect(await namesOf(on)).toEqual([...controls, "camera"]);
  }
  await using disabled = await open({ toolSearch: { enabled: false } });
  expect(await namesOf(disabled)).toEqual(["double", "camera"]);
});

it("ACT-3 code mode excludes Tool Search: its controls are neither visible nor in the catalog", async () => {
  await using bench = await open({ toolSearch: true, codeMode: true });
  expect(await namesOf(bench)).toEqual(["exec", "wait", "camera"]);
  const code = "return ALL_TOOLS.map(({ name }) => name)";
  expect(await bench.host.codeMode?.exec({ code }, { scope })).toMatchObject({ value: ["double"] });
});

it("POL-3 a tool is found, described and called over the catalog, on the path that hooks and policy guard", async () => {
  await using bench = await open({ toolSearch: true });
  expect(await bench.call("tool_search", { query: "double a number" })).toEqual({
    tools: [expect.objectContaining({ id: "openclaw:p:double", name: "double", description: "Doubles a number." })],
    of: 1,
  });
  expect(await bench.call("tool_describe", { id: "openclaw:p:double" })).toMatchObject({
    id: "openclaw:p:double",
    parameters: { properties: { n: { type: "number" } } },
  });
  const called = { twice: 4, sessionId: "s", toolCallId: "call-1" };
  expect(await bench.call("tool_call", { id: "openclaw:p:double", input: { n: 1 } })).toEqual(called);
  expect(await bench.call("tool_call", { id: "double", input: { n: 1 } })).toEqual(called);
});

it("POL-1 a denied tool reads like one that never was, to search, describe and call", async () => {
  await using bench = await open({ toolSearch: true });
  const found = (await bench.call("tool_search", { query: "secret" })) as { tools: { name: string }[] };
  expect(found.tools.map(({ name }) => name)).not.toContain("secret");
  for (const name of ["tool_describe", "tool_call"]) {
    const { error: denied } = (await bench.call(name, { id: "openclaw:p:secret" })) as { error: string };
    const { error: unknown } = (await bench.call(name, { id: "openclaw:p:nosuch" })) as { error: string };
    expect(denied).toMatch(/^there is no tool openclaw:p:secret\./);
    expect(unknown).toMatch(/^there is no tool openclaw:p:nosuch\./);
    expect(denied.replace(/ Did you mean [^?]*\?/, "").replace("secret", "nosuch")).toBe(
      unknown.replace(/ Did you mean [^?]*\?/, ""),
    );
  }
});

it("POL-3 tools of MCP servers are found by their catalog ids too", async () => {
  const mcp = { kind: "mcp", server: "my files" } as const;
  const tools: CodeModeTool[] = [
    { name: "open-file", description: "Opens a file.", origin: mcp, execute: () => "opened" },
    {
      name: "resources.read",
      description: "Reads a file.",
      origin: { ...mcp, member: "resources.read" },
      execute: () => 1,
    },
    { name: "search", description: "Finds a file.", execute: () => 1 },
  ];
  const executor = createToolExecutor({ resolveTool: (id) => tools.find((tool) => toolId(tool) === id) });
  const [find, , call] = new ToolSearch({ maxResults: 9 }, executor).modelTools({ tools }) as [
    ModelTool,
    ModelTool,
    ModelTool,
  ];
  const { tools: found } = (await find.call({ query: "file" })) as { tools: { id: string }[] };
  expect(found.map(({ id }) => id).sort()).toEqual(tools.map(toolId).sort());
  expect(await call.call({ id: "mcp:my files:open-file" })).toBe("opened");
});

it("mistakes of the model are answers: a missing query, an ambiguous name, an input that breaks the schema", async () => {
  await using bench = await open(
    { toolSearch: { maxResults: 1 }, deny: ["secret", "group:core", "openclaw:q:camera"] },
    ["p", "q"],
  );
  expect(await bench.call("tool_search", {})).toEqual({ error: expect.stringContaining("query is missing") });
  expect(await bench.call("tool_call", { id: "double" })).toEqual({
    error: expect.stringContaining("openclaw:p:double and openclaw:q:double"),
  });
  const { tools } = (await bench.call("tool_search", { query: "number", limit: 9 })) as { tools: unknown[] };
  expect(tools).toHaveLength(1);
});

it("an input that breaks the schema is refused with its path, before the tool runs", async () => {
  await using bench = await open({ toolSearch: true });
  const { error } = (await bench.call("tool_call", { id: "double", input: { n: "x" } })) as { error: object };
  expect(error).toMatchObject({ code: "invalid_tool_input", details: { path: "input.n" } });
});
