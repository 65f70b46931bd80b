import { afterAll, beforeAll, expect, it } from "vitest";
import type { CliFolder } from "../test/cli-process.ts";
import { type FakeModel, lastResult, type ModelRequest, startFakeModel } from "./fake-model.ts";
import { type GatewayProcess, startGatewayProcess } from "./gateway-process.ts";
import { scenarioConfig, scenarioFolder } from "./scenario-parts.ts";

let folder: CliFolder;
let gateway: GatewayProcess;
const models: Record<string, FakeModel> = {};
/** Resolves when the model of the aborted turn is asked for the second time. */
const parked = Promise.withResolvers<void>();
const held = Promise.withResolvers<void>();
/** Resolves when nothing is suspended any more; the model of the expiry answers only then. */
let nothingSuspended: () => Promise<void>;

beforeAll(async () => {
  folder = scenarioFolder();
  models.endless = await startFakeModel((request, index) =>
    index === 0 ? { name: "exec", input: { code: "for (;;) {}" } } : { text: String(lastResult(request).code) },
  );
  models.aborted = await startFakeModel(async (_request, index) => {
    if (index === 0) return { name: "exec", input: { code: "return await tools.slow_count({ ms: 60000 })" } };
    parked.resolve();
    await held.promise;
    return { text: "never heard" };
  });
  models.expired = await startFakeModel(async (request, index) => {
    if (index === 0) return { name: "exec", input: { code: "await yield_control('later'); return 1" } };
    const result = lastResult(request);
    if (index > 1) return { text: String(result.error) };
    await nothingSuspended();
    return { name: "wait", input: { runId: result.runId as string } };
  });
  const urls = Object.fromEntries(Object.entries(models).map(([name, { baseUrl }]) => [name, baseUrl]));
  gateway = await startGatewayProcess(folder, {
    ...scenarioConfig(folder, urls),
    tools: { codeMode: { enabled: true, timeoutMs: 1000, snapshotTtlSeconds: 1 } },
  });
  nothingSuspended = async () => {
    while ((await suspended()).length > 0) await new Promise((resolve) => setImmediate(resolve));
  };
});

afterAll(async () => {
  held.resolve();
  await gateway[Symbol.asyncDispose]();
  for (const model of Object.values(models)) await model[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

async function suspended(): Promise<readonly unknown[]> {
  const { body } = await gateway.get("/api/suspended");
  return (body as { suspended: readonly unknown[] }).suspended;
}

it("E2E-15 an endless program ends as timeout and the gateway goes on", async () => {
  const { body } = await gateway.post("/api/sessions/endless/turns", { agent: "endless", message: "go" });
  expect(body).toMatchObject({ status: "completed", text: "timeout" });
  expect(await suspended()).toEqual([]);
});

it("E2E-15 aborting a turn ends its suspended program and its calls", async () => {
  const turn = gateway.post("/api/sessions/aborted/turns", { agent: "aborted", message: "go" });
  await parked.promise;
  expect(await suspended()).toHaveLength(1);
  expect((await gateway.post("/api/sessions/aborted/abort")).status).toBe(200);
  expect((await turn).status).toBeGreaterThanOrEqual(400);
  expect(await suspended()).toEqual([]);
  const lines = await gateway.trajectory("aborted");
  expect(lines.findLast(({ type }) => type === "call_ended")).toMatchObject({ outcome: { ok: false } });
  expect(lines.at(-1)).toMatchObject({ type: "turn_ended", status: "aborted" });
});

it("E2E-15 a suspended program expires, and a wait for it says so", async () => {
  const { body } = await gateway.post("/api/sessions/expired/turns", { agent: "expired", message: "go" });
  expect(body).toMatchObject({ text: "code mode run is unavailable or expired." });
  expect(models.expired?.requests as ModelRequest[]).toHaveLength(3);
});
