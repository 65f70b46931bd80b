import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, it } from "vitest";
import { clients, connectV1, connectV2, openHttpFace, resetGates, token } from "./http-face.ts";

it.each(clients)(
  "GW-5 a %s client lists exactly exec and wait over HTTP and runs a program",
  async (_name, connect) => {
    await using face = await openHttpFace();
    await using client = await connect(face.url);
    expect(await client.listNames()).toEqual(["exec", "wait"]);
    const answer = await client.call("exec", { code: 'return (await tools.read({ path: "a.txt" })).content' });
    expect(answer.structuredContent).toMatchObject({ status: "completed", value: "hello" });
    expect(JSON.parse(answer.content[0]?.text as string)).toEqual(answer.structuredContent);
    expect(answer.isError).toBe(false);
  },
);

it.each(clients)("GW-5 a program that a %s client suspended goes on with wait", async (_name, connect) => {
  const gates = resetGates();
  await using face = await openHttpFace({ tools: { codeMode: { timeoutMs: 1_000 } } });
  await using client = await connect(face.url);
  const parked = await client.call("exec", { code: "return await tools.gate({})" });
  expect(parked.structuredContent).toMatchObject({ status: "waiting", pendingToolCalls: [{ name: "gate" }] });
  gates.open.resolve("opened");
  const { runId } = parked.structuredContent;
  const done = await client.call("wait", { runId });
  expect(done.structuredContent).toMatchObject({ status: "completed", value: "opened" });
  const again = await client.call("wait", { runId });
  expect(again).toMatchObject({ isError: true, structuredContent: { code: "invalid_input" } });
});

it.each([["sessions of 2025", "legacy"] as const, ["clients of 2026", "auto"] as const])(
  "MCPS-2 the run id of one of two %s reads as unknown to the other",
  async (_name, mode) => {
    const gates = resetGates();
    await using face = await openHttpFace({ tools: { codeMode: { timeoutMs: 1_000 } } });
    await using owner = await connectV2(face.url, mode, { name: "owner" });
    await using other = await connectV2(face.url, mode, { name: "other" });
    const parked = await owner.call("exec", { code: "return await tools.gate({})" });
    const { runId } = parked.structuredContent;
    const foreign = await other.call("wait", { runId });
    const unknown = await other.call("wait", { runId: "0".repeat(32) });
    expect(foreign.structuredContent.error).toBe("code mode run is unavailable or expired.");
    expect(foreign.structuredContent).toEqual(unknown.structuredContent);
    gates.open.resolve(1);
    expect((await owner.call("wait", { runId })).structuredContent).toMatchObject({ status: "completed", value: 1 });
  },
);

it.each(clients)(
  "MCPS-3 nested calls are told as progress to a %s client that asked for it",
  async (_name, connect) => {
    const gates = resetGates();
    await using face = await openHttpFace();
    await using client = await connect(face.url);
    const lines: (string | undefined)[] = [];
    const options = { onprogress: ({ message }: { message?: string | undefined }) => void lines.push(message) };
    const answer = client.call("exec", { code: 'await tools.read({ path: "a.txt" }); return tools.gate({})' }, options);
    await gates.reached.promise;
    gates.open.resolve(1);
    await answer;
    expect(lines).toEqual([
      "openclaw:core:read started",
      expect.stringMatching(/^openclaw:core:read done \(\d+ ms\)$/),
      "openclaw:gates:gate started",
      "openclaw:gates:gate: at the gate",
      expect.stringMatching(/^openclaw:gates:gate done/),
    ]);
  },
);

it.each(clients)("MCPS-3 a request that a %s client cancels aborts the cell and its calls", async (_name, connect) => {
  const gates = resetGates();
  await using face = await openHttpFace();
  await using client = await connect(face.url);
  const stop = new AbortController();
  const answer = client.call("exec", { code: "return await tools.gate({})" }, { signal: stop.signal });
  await gates.reached.promise;
  stop.abort();
  await expect(answer).rejects.toThrow();
  await gates.aborted.promise;
});

it("MCPS-3 the description shows the narrower of timeoutMs and 40 s", async () => {
  await using short = await openHttpFace({ tools: { codeMode: { timeoutMs: 5_000 } } });
  await using long = await openHttpFace({ tools: { codeMode: { timeoutMs: 60_000 } } });
  await using first = await connectV2(short.url, "legacy");
  await using second = await connectV2(long.url, "legacy");
  expect(await first.describe("exec")).toContain("5 s per exec or wait call");
  expect(await second.describe("exec")).toContain("40 s per exec or wait call");
});

it("MCPS-1 direct-only tools show where mcpServer.directTools names them, and their images pass", async () => {
  await using face = await openHttpFace({ mcpServer: { directTools: ["openclaw:gates:camera"] } });
  await using client = await connectV2(face.url, "legacy");
  expect(await client.listNames()).toEqual(["exec", "wait", "camera"]);
  expect((await client.call("camera", {})).content).toEqual([{ type: "image", data: "AAAA", mimeType: "image/png" }]);
  const answer = await client.call("exec", {
    code: 'return ALL_TOOLS.filter(({ id }) => id.startsWith("openclaw:gates:")).map(({ name }) => name)',
  });
  expect(answer.structuredContent).toMatchObject({ value: ["gate", "send"] });
  expect(answer.structuredContent.telemetry).toMatchObject({ visibleTools: ["exec", "wait", "camera"] });
});

it("GW-5 a session that ended is a 404, after which a client opens a new one", async () => {
  await using face = await openHttpFace();
  const transport = new StreamableHTTPClientTransport(new URL(`${face.url}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(transport);
  const sessionId = transport.sessionId ?? "";
  expect(sessionId).toMatch(/^[0-9a-f]{32}$/);
  await transport.terminateSession();
  const reply = await fetch(`${face.url}/mcp`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-session-id": sessionId,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
  });
  expect(reply.status).toBe(404);
  await client.close();
  await using next = await connectV1(face.url);
  expect(await next.listNames()).toEqual(["exec", "wait"]);
});

it("GW-5 the least recently used idle session makes room, and its suspended cell ends", async () => {
  const gates = resetGates();
  await using face = await openHttpFace({ tools: { codeMode: { timeoutMs: 1_000 } } }, { maxSessions: 1 });
  const first = new Client({ name: "first", version: "1.0.0" });
  const headers = { authorization: `Bearer ${token}` };
  await first.connect(new StreamableHTTPClientTransport(new URL(`${face.url}/mcp`), { requestInit: { headers } }));
  await first.callTool({ name: "exec", arguments: { code: "return await tools.gate({})" } });
  await first.close();
  await using second = await connectV1(face.url);
  expect(await second.listNames()).toEqual(["exec", "wait"]);
  await gates.aborted.promise;
});

it("GW-1 /mcp wants the token, refuses foreign origins and bodies over 4 MiB, and its errors are JSON", async () => {
  await using face = await openHttpFace();
  const post = async (headers: Record<string, string>, body = "{}"): Promise<unknown> => {
    const reply = await fetch(`${face.url}/mcp`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
      body,
    });
    const { error } = (await reply.json()) as { error: { code: unknown; message: unknown } };
    return [reply.status, error.code, typeof error.message, reply.headers.get("www-authenticate")];
  };
  const authorization = `Bearer ${token}`;
  expect(await post({})).toEqual([401, "unauthorized", "string", "Bearer"]);
  expect(await post({ authorization: "Bearer wrong" })).toEqual([401, "unauthorized", "string", "Bearer"]);
  expect(await post({ authorization, origin: "https://evil.example" })).toEqual([
    403,
    "forbidden_origin",
    "string",
    null,
  ]);
  expect(await post({ authorization }, "x".repeat(4 * 1024 * 1024 + 1))).toEqual([
    413,
    "payload_too_large",
    "string",
    null,
  ]);
  expect(await post({ authorization }, "{")).toEqual([400, -32700, "string", null]);
  expect(await post({ authorization }, '{"jsonrpc":"2.0","id":1,"method":"tools/list"}')).toEqual([
    400,
    -32000,
    "string",
    null,
  ]);
});

it("GW-8 draining lets a running call end and takes nothing new on", async () => {
  const gates = resetGates();
  await using face = await openHttpFace();
  await using client = await connectV2(face.url, "auto");
  const answer = client.call("exec", { code: "return await tools.gate({})" });
  await gates.reached.promise;
  const drained = face.drain(30_000);
  await expect(client.call("exec", { code: "return 1" })).rejects.toThrow();
  gates.open.resolve("ended");
  expect((await answer).structuredContent).toMatchObject({ status: "completed", value: "ended" });
  await drained;
});
