import { request } from "node:http";
import { expect, it } from "vitest";
import type { GatewayConfigInput } from "../../src/config/config-schema.ts";
import { TemporaryFolder } from "../temporary-folder.ts";
import { errorOf as errorCode, openGateway as open, type TestGateway, token } from "./open-gateway.ts";

/** Names of the tools in a request body as the model got it. */
function toolNames(request: { readonly tools?: readonly unknown[] } | undefined): string[] {
  return (request?.tools ?? []).map((tool) => (tool as { function: { name: string } }).function.name);
}

function openGateway(folder: TemporaryFolder, script: object, config: GatewayConfigInput = {}): Promise<TestGateway> {
  return open(folder, { script, config });
}

it("a turn runs a program over HTTP, and every request to the model holds exactly exec and wait", async () => {
  using folder = new TemporaryFolder();
  await using gateway = await openGateway(folder, {
    steps: [
      { toolCalls: [{ name: "exec", input: { code: 'return (await tools.read({ path: "a.txt" })).content' } }] },
      { text: "It says ${results[0].value}" },
    ],
  });
  const { status, body } = await gateway.send("/api/sessions/one/turns", { message: "What does it say?" });
  expect([status, body.text, body.steps]).toEqual([200, "It says hello", 2]);
  const { requests } = await gateway.models.scripted("s");
  expect(requests.map(toolNames)).toEqual([
    ["exec", "wait"],
    ["exec", "wait"],
  ]);
});

it("the trajectory of a session shows nested calls under their exec, in order", async () => {
  using folder = new TemporaryFolder();
  await using gateway = await openGateway(folder, {
    steps: [{ toolCalls: [{ name: "exec", input: { code: "return await tools.ls({})" } }] }, { text: "done" }],
  });
  await gateway.send("/api/sessions/one/turns", { message: "go" });
  const reply = await fetch(`${gateway.url}/api/sessions/one/trajectory`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const lines = (await reply.text())
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines.map(({ seq }) => seq)).toEqual(lines.map((_, index) => index));
  const called = lines.find(({ type }) => type === "tool_call");
  expect(lines.find(({ type }) => type === "call_ended")).toMatchObject({
    toolId: "openclaw:core:ls",
    parentId: called?.toolCallId,
  });
  expect([lines[0]?.type, lines.at(-1)?.type]).toEqual(["turn_started", "turn_ended"]);
  expect(errorCode(await gateway.send("/api/sessions/none/trajectory"))).toEqual([404, "unknown_session"]);
});

it("with code mode off the model gets the tools themselves and calls them on the same path", async () => {
  using folder = new TemporaryFolder();
  const script = {
    steps: [
      {
        toolCalls: [
          { name: "read", input: { path: "a.txt" } },
          { name: "read", input: { path: "../x" } },
        ],
      },
      { text: "${results[0].content} / ${results[1].error.message}" },
    ],
  };
  await using gateway = await openGateway(folder, script, { tools: { allow: ["read", "ls"] } });
  const { body } = await gateway.send("/api/sessions/one/turns", { message: "go" });
  expect(body.text).toMatch(/^hello \/ .*contains "\.\."/);
  const { requests } = await gateway.models.scripted("s");
  expect(toolNames(requests[0])).toEqual(["read", "ls"]);
});

it("a call with broken arguments or of an unknown tool does not run and is answered", async () => {
  using folder = new TemporaryFolder();
  await using gateway = await openGateway(folder, {
    steps: [
      { toolCalls: [{ name: "exec", arguments: '{"code": ' }] },
      { toolCalls: [{ name: "read", input: {} }] },
      { text: "${results[0]} | ${results[1]}" },
    ],
  });
  const { body } = await gateway.send("/api/sessions/one/turns", { message: "go" });
  expect(body.text).toMatch(/JSON|parse/i);
  const { requests } = await gateway.models.scripted("s");
  const messages = requests.at(-1)?.messages as { role: string; tool_call_id?: string }[];
  expect(messages.filter(({ role }) => role === "tool").map((message) => message.tool_call_id)).toEqual([
    "call_1_1",
    "call_2_1",
  ]);
});

it("a model that repeats one fault three times ends the turn with a clear error", async () => {
  using folder = new TemporaryFolder();
  const faulty = { finishReason: "length", toolCalls: [{ name: "exec", input: { code: "return 1" } }] };
  await using gateway = await openGateway(folder, { steps: [faulty, faulty, faulty, { text: "never" }] });
  const reply = await gateway.send("/api/sessions/one/turns", { message: "go" });
  expect(errorCode(reply)).toEqual([500, "internal_error"]);
  expect(JSON.stringify(reply.body)).toContain("three times in the same way");
});

it("a model that never answers is ended at maxTurns", async () => {
  using folder = new TemporaryFolder();
  const step = { toolCalls: [{ name: "wait", input: { runId: "x" } }] };
  await using gateway = await openGateway(
    folder,
    { steps: [step, step, step] },
    { tools: { codeMode: true }, agents: { main: { maxTurns: 2 } } },
  );
  const reply = await gateway.send("/api/sessions/one/turns", { message: "go" });
  expect(JSON.stringify(reply.body)).toContain("in 2 requests and gave no final answer");
});

it("a second turn of a busy session is refused, another session is not", async () => {
  using folder = new TemporaryFolder();
  folder.write(
    "gate.mjs",
    'export default { id: "gate", tools: [{ name: "gate", description: "", parameters: {}, execute: () => new Promise((resolve) => { globalThis.openTestGate = resolve; globalThis.testGateReached(); }) }] };',
  );
  const script = {
    steps: [{ toolCalls: [{ name: "exec", input: { code: "${message}" } }] }, { text: "done" }, { text: "again" }],
  };
  await using gateway = await openGateway(folder, script, { tools: { codeMode: true }, plugins: ["./gate.mjs"] });
  const gate = globalThis as unknown as { openTestGate(value: unknown): void; testGateReached(): void };
  const reached = new Promise<void>((resolve) => {
    gate.testGateReached = resolve;
  });
  const first = gateway.send("/api/sessions/one/turns", { message: "return await tools.gate({})" });
  await reached;
  expect(errorCode(await gateway.send("/api/sessions/one/turns", { message: "return 1" }))).toEqual([
    409,
    "turn_in_progress",
  ]);
  expect((await gateway.send("/api/sessions/two/turns", { message: "return 1" })).body.text).toBe("done");
  gate.openTestGate(null);
  expect((await first).body.text).toBe("done");
  expect((await gateway.send("/api/sessions/one/turns", { message: "next" })).body.text).toBe("again");
});

it("everything but /healthz wants the token, and errors are JSON", async () => {
  using folder = new TemporaryFolder();
  await using gateway = await openGateway(folder, { steps: [{ text: "hi" }] });
  expect((await gateway.send("/healthz", undefined, { authorization: "" })).body).toEqual({ status: "ok" });
  const turn = (body: unknown, headers = {}) => gateway.send("/api/sessions/one/turns", body, headers);
  expect(errorCode(await turn({ message: "x" }, { authorization: "" }))).toEqual([401, "unauthorized"]);
  expect(errorCode(await turn({ message: "x" }, { authorization: "Bearer wrong" }))).toEqual([401, "unauthorized"]);
  expect(errorCode(await turn({ message: "x" }, { origin: "http://evil.example" }))).toEqual([403, "forbidden_origin"]);
  expect(errorCode(await turn("{"))).toEqual([400, "invalid_input"]);
  expect(errorCode(await turn({ mesage: "x" }))).toEqual([400, "invalid_input"]);
  expect(errorCode(await turn({ message: "x", agent: "nobody" }))).toEqual([404, "unknown_agent"]);
  expect(errorCode(await turn(JSON.stringify({ message: "x".repeat(4 * 1024 * 1024) })))).toEqual([
    413,
    "payload_too_large",
  ]);
  expect(errorCode(await gateway.send("/nothing"))).toEqual([404, "not_found"]);
});

it("a request through a foreign host name is refused even on loopback", async () => {
  using folder = new TemporaryFolder();
  await using gateway = await openGateway(folder, { steps: [{ text: "hi" }] });
  const status = await new Promise((resolve, reject) => {
    request(`${gateway.url}/healthz`, { headers: { host: "evil.example" } }, (reply) =>
      resolve(reply.resume().statusCode),
    )
      .on("error", reject)
      .end();
  });
  expect(status).toBe(403);
});
