import { afterAll, beforeAll, expect, it } from "vitest";
import type { CliFolder } from "../test/cli-process.ts";
import { type FakeModel, lastResult, type ModelRequest, startFakeModel, toolNames } from "./fake-model.ts";
import { startGatewayProcess } from "./gateway-process.ts";
import { scenarioConfig, scenarioFolder } from "./scenario-parts.ts";

let folder: CliFolder;
let model: FakeModel;

beforeAll(async () => {
  folder = scenarioFolder();
  model = await startFakeModel((_request, index) =>
    index % 2 === 0 ? { name: "greet", input: { name: "Ada" } } : { text: "greeted" },
  );
});
afterAll(async () => {
  await model[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

/** One turn on a gateway whose configuration says this about code mode. */
async function turnWith(codeMode: object): Promise<{ answer: unknown; requests: readonly ModelRequest[] }> {
  const from = model.requests.length;
  const config = { ...scenarioConfig(folder, { main: model.baseUrl }), mcpServers: {} };
  const tools = { allow: ["read", "ls", "group:plugins"], deny: ["forbidden"], ...codeMode };
  await using gateway = await startGatewayProcess(folder, { ...config, tools });
  const { body } = await gateway.post("/api/sessions/off/turns", { message: "greet Ada" });
  return { answer: body, requests: model.requests.slice(from) };
}

it("E2E-1 E2E-2 with codeMode.enabled false a turn calls a tool of a small direct set itself", async () => {
  const { answer, requests } = await turnWith({ codeMode: { enabled: false } });
  expect(answer).toMatchObject({ status: "completed", text: "greeted", steps: 2 });
  expect(lastResult(requests[1] as ModelRequest)).toEqual({ greeting: "hello Ada" });
});

it("E2E-3 its model-visible tools are those of a gateway that knows no code mode, byte for byte", async () => {
  const off = await turnWith({ codeMode: { enabled: false } });
  const without = await turnWith({});
  expect(toolNames(off.requests[0] as ModelRequest)).toEqual(["read", "ls", "greet", "slow_count", "screen"]);
  expect(JSON.stringify(off.requests[0]?.tools)).toBe(JSON.stringify(without.requests[0]?.tools));
});
