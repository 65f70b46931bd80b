import OpenAI from "openai";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { CliFolder } from "../test/cli-process.ts";
import { type FakeModel, lastResult, type ModelRequest, startFakeModel, toolNames } from "./fake-model.ts";
import { type GatewayProcess, startGatewayProcess } from "./gateway-process.ts";
import { scenarioConfig, scenarioFolder } from "./scenario-parts.ts";

/** What the program of step 5 brings back. */
type Found = Record<string, unknown> & {
  readonly ids: readonly string[];
  readonly files: readonly { readonly path: string }[];
};

const program = `
const describe = async (id) => (await tools.describe(id)).parameters;
const refused = async (id) => { try { await tools.call(id, {}); return "ran"; } catch (error) { return error.code + " " + error.message.replaceAll(id, "ID").replace(/ Did you mean [^?]*\\?/, ""); } };
const [found] = await tools.search("greet somebody");
return {
  ids: ALL_TOOLS.map(({ id }) => id),
  core: (await tools.read({ path: "a.txt" })).content,
  plugin: await tools.greet({ name: "Ada" }),
  byId: await tools.call(found.id, { name: "Bob" }),
  parameters: await describe("openclaw:kit:greet"),
  client: await tools.pick_file({ kind: "text" }),
  clientParameters: await describe("client:app:pick_file"),
  mcp: (await MCP.files.readTextFile({ path: "a.txt" })).data.content,
  mcpOutside: [ALL_TOOLS.some(({ id }) => id.startsWith("mcp:")), "read_text_file" in tools, "readTextFile" in tools],
  files: await API.list("mcp"),
  declarations: await API.read("mcp/files.d.ts"),
  denied: await refused("openclaw:kit:forbidden"),
  unknown: await refused("openclaw:kit:missing"),
  direct: await refused("openclaw:kit:screen"),
};`;

const slowProgram = `
text("before");
const { counted } = await tools.slow_count({ ms: 6500 });
text("counted " + counted + " after restore");
return counted;`;

let folder: CliFolder;
let gateway: GatewayProcess;
let openai: OpenAI;
const models: Record<string, FakeModel> = {};
let found: Found;
let slowResults: Record<string, unknown>[];

beforeAll(async () => {
  folder = scenarioFolder();
  models.main = await startFakeModel((request, index) =>
    index === 0 ? { name: "exec", input: { code: program } } : { text: `done: ${lastResult(request).status}` },
  );
  models.slow = await startFakeModel((request, index) => {
    if (index === 0) return { name: "exec", input: { code: slowProgram } };
    const result = lastResult(request);
    if (result.status === "waiting") return { name: "wait", input: { runId: result.runId as string } };
    return { text: (result.output as { text: string }[]).map(({ text }) => text).join(" | ") };
  });
  const urls = Object.fromEntries(Object.entries(models).map(([name, { baseUrl }]) => [name, baseUrl]));
  const config = scenarioConfig(folder, urls);
  // the same data folder twice: off first, then on
  const off = await startGatewayProcess(folder, { ...config, tools: { codeMode: { enabled: false } } });
  expect(await off.stop()).toBe(0);
  const tools = { deny: ["forbidden"], codeMode: { enabled: true, timeoutMs: 5000 } };
  gateway = await startGatewayProcess(folder, { ...config, tools });
  openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.token, maxRetries: 0 });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  for (const model of Object.values(models)) await model[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

it("E2E-4 a restart with code mode on serves again", async () => {
  expect(await gateway.get("/api/sessions")).toMatchObject({ status: 200 });
});

it("E2E-5 a turn works with core, plugin, MCP and client tools", async () => {
  const pickFile: OpenAI.ChatCompletionTool = {
    type: "function",
    function: {
      name: "pick_file",
      description: "Let the user pick a file.",
      parameters: { type: "object", properties: { kind: { type: "string" } }, required: ["kind"] },
    },
  };
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "look around" }];
  const asked = await openai.chat.completions.create({ model: "main", messages, tools: [pickFile] });
  const message = asked.choices[0]?.message;
  const call = message?.tool_calls?.[0];
  expect(asked.choices[0]?.finish_reason).toBe("tool_calls");
  expect(call?.type === "function" && [call.function.name, JSON.parse(call.function.arguments)]).toEqual([
    "pick_file",
    { kind: "text" },
  ]);
  const answered = await openai.chat.completions.create({
    model: "main",
    messages: [
      ...messages,
      message as OpenAI.ChatCompletionMessageParam,
      { role: "tool", tool_call_id: call?.id ?? "", content: '{"path":"a.txt"}' },
    ],
    tools: [pickFile],
  });
  expect(answered.choices[0]).toMatchObject({ finish_reason: "stop", message: { content: "done: completed" } });
  const result = lastResult(models.main?.requests[1] as ModelRequest);
  found = result.value as Found;
  expect(found).toMatchObject({ core: expect.stringContaining("apples"), client: { path: "a.txt" } });
});

it("E2E-6 the model sees exec, wait and the direct-only tool", () => {
  expect(models.main?.requests.map(toolNames)).toEqual([
    ["exec", "wait", "screen"],
    ["exec", "wait", "screen"],
  ]);
});

it("E2E-7 ALL_TOOLS holds the eligible tools of core, plugin and client, not the direct-only one", () => {
  expect(found.ids).toEqual(
    expect.arrayContaining([
      "openclaw:core:read",
      "openclaw:kit:greet",
      "openclaw:kit:slow_count",
      "client:app:pick_file",
    ]),
  );
  expect(found.ids.filter((id) => id.includes("screen") || id.includes("exec_") || id.endsWith(":wait"))).toEqual([]);
  expect(found.direct).toBe(found.unknown);
});

it("E2E-8 search, describe and call work for core, plugin and client tools", () => {
  expect(found).toMatchObject({
    plugin: { greeting: "hello Ada" },
    byId: { greeting: "hello Bob" },
    parameters: { required: ["name"] },
    clientParameters: { required: ["kind"] },
  });
});

it("E2E-9 API.list and API.read describe the MCP tools", () => {
  expect(found.files.map(({ path }) => path)).toContain("mcp/files.d.ts");
  expect(found.declarations).toContain("readTextFile");
});

it("E2E-10 an MCP tool works through MCP and is absent from ALL_TOOLS and tools", () => {
  expect([found.mcp, found.mcpOutside]).toEqual(["apples\n", [false, false, false]]);
});

it("E2E-11 a denied tool is absent, and its guessed id is refused like one that never was", () => {
  expect(found.ids).not.toContain("openclaw:kit:forbidden");
  expect(found.denied).toBe(found.unknown);
});

it("E2E-12 a nested call settles after exec returned waiting", async () => {
  const { body } = await gateway.post("/api/sessions/slow/turns", { agent: "slow", message: "count" });
  expect(body).toMatchObject({ status: "completed" });
  slowResults = (models.slow?.requests ?? []).slice(1).map(lastResult);
  expect(slowResults[0]).toMatchObject({ status: "waiting", reason: "pending_tools" });
  const lines = await gateway.trajectory("slow");
  const at = (type: string, more: object = {}): number =>
    lines.findIndex((line) => line.type === type && Object.entries(more).every(([key, value]) => line[key] === value));
  expect(at("cell_result")).toBeGreaterThan(-1);
  expect(at("call_ended", { toolId: "openclaw:kit:slow_count" })).toBeGreaterThan(at("cell_result"));
});

it("E2E-13 wait hands the result to the restored program, and the call ran once", async () => {
  expect(slowResults.at(-1)).toMatchObject({
    status: "completed",
    value: 3,
    telemetry: { calls: { completed: 1, failed: 0, pending: 0, notStarted: 0 } },
  });
});

it("E2E-14 the final answer holds output made after the restore", async () => {
  const lines = await gateway.trajectory("slow");
  expect(lines.findLast(({ type }) => type === "turn_ended")).toMatchObject({
    status: "completed",
    text: "counted 3 after restore",
  });
});

it("E2E-16 the exported trajectory shows nested calls under their exec, over HTTP and from the command line", async () => {
  const lines = await gateway.trajectory("slow");
  const exec = lines.find(({ type, name }) => type === "tool_call" && name === "exec");
  const nested = lines.filter(({ type }) => type === "call_started" || type === "call_ended");
  expect(nested.map(({ parentId }) => parentId)).toEqual([exec?.toolCallId, exec?.toolCallId]);
  const exported = await folder.run(["trajectory", "slow", "--format", "jsonl"]);
  expect(exported.code).toBe(0);
  expect(
    exported.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown),
  ).toEqual(lines);
});
