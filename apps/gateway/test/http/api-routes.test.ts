import { afterEach, beforeEach, expect, it } from "vitest";
import type { TranscriptStore } from "../../src/store/transcript-store.ts";
import { TemporaryFolder } from "../temporary-folder.ts";
import { errorOf, type OpenOptions, openGateway, type Reply, type TestGateway, token } from "./open-gateway.ts";

let folder: TemporaryFolder;
let store: TranscriptStore;

beforeEach(() => {
  folder = new TemporaryFolder();
});

afterEach(() => {
  folder[Symbol.dispose]();
});

async function open(options: OpenOptions = {}): Promise<TestGateway> {
  const gateway = await openGateway(folder, options);
  store = gateway.store;
  return gateway;
}

async function remove({ url }: TestGateway, path: string): Promise<Reply> {
  const reply = await fetch(url + path, { method: "DELETE", headers: { authorization: `Bearer ${token}` } });
  return { status: reply.status, headers: reply.headers, body: (await reply.json()) as Reply["body"] };
}

async function record(id: string, events: number): Promise<void> {
  store.openSession(id, "main");
  for (let count = 0; count < events; count++) store.append(id, { type: "note", count });
  await store.flush();
}

it("GW-4 sessions are listed, shown and deleted; unknown ones are 404", async () => {
  await using gateway = await open();
  await record("one", 2);
  await record("two/ü", 0);
  const { body } = await gateway.send("/api/sessions");
  expect(body.sessions).toEqual([
    {
      id: "two/ü",
      agentId: "main",
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      turns: 0,
      events: 0,
      running: false,
    },
    expect.objectContaining({ id: "one", events: 2 }),
  ]);
  const path = `/api/sessions/${encodeURIComponent("two/ü")}`;
  expect((await gateway.send(path)).body).toMatchObject({ id: "two/ü", agentId: "main" });
  expect((await remove(gateway, path)).body).toEqual({ deleted: "two/ü" });
  expect(store.session("two/ü")).toBeUndefined();
  for (const reply of [await gateway.send(path), await remove(gateway, path), await gateway.send(`${path}/trajectory`)])
    expect(errorOf(reply)).toEqual([404, "unknown_session"]);
});

it("GW-4 a trajectory of many events comes complete and in order as JSON lines", async () => {
  await using gateway = await open();
  await record("long", 1_234);
  const reply = await fetch(`${gateway.url}/api/sessions/long/trajectory`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(reply.headers.get("content-type")).toBe("application/x-ndjson");
  const lines = (await reply.text()).trimEnd().split("\n");
  expect(lines.map((line) => (JSON.parse(line) as { seq: number }).seq)).toEqual(
    Array.from({ length: 1_234 }, (_, seq) => seq),
  );
});

it("GW-4 deleting a session ends its suspended cells and leaves those of others", async () => {
  await using gateway = await open();
  const codeMode = gateway.host.codeMode;
  const suspend = (sessionId: string) =>
    codeMode?.exec(
      { code: "await yield_control(); return 1" },
      { scope: { agentId: "main", sessionId, sessionKey: sessionId, agentRunId: `run of ${sessionId}` } },
    );
  await record("one", 0);
  await suspend("one");
  await suspend("other");
  expect(((await gateway.send("/api/suspended")).body.suspended as object[]).length).toBe(2);
  await remove(gateway, "/api/sessions/one");
  expect((await gateway.send("/api/suspended")).body.suspended).toMatchObject([{ sessionId: "other" }]);
});

it("GW-4 suspended cells are shown with what they wait for, when they end and how large they are, without inputs", async () => {
  folder.write(
    "gate.mjs",
    'export default { id: "gate", tools: [{ name: "gate", description: "", parameters: {}, execute: () => new Promise(() => {}) }] };',
  );
  const config = {
    plugins: ["./gate.mjs"],
    tools: { codeMode: { enabled: true, timeoutMs: 500, snapshotTtlSeconds: 60 } },
  };
  await using gateway = await open({ config });
  const scope = { agentId: "main", sessionId: "s", sessionKey: "main:s", agentRunId: "r" };
  const result = await gateway.host.codeMode?.exec({ code: 'await tools.gate({ secret: "xyz" })' }, { scope });
  const { body } = await gateway.send("/api/suspended");
  const [run] = body.suspended as Record<string, string>[];
  expect(body.suspended).toEqual([
    {
      runId: (result as { runId: string }).runId,
      sessionId: "s",
      agentId: "main",
      agentRunId: "r",
      since: expect.any(String),
      expiresAt: expect.any(String),
      pending: [
        {
          callId: expect.any(String),
          id: "openclaw:gate:gate",
          name: "gate",
          elapsedMs: expect.any(Number),
          status: "running",
        },
      ],
      snapshotBytes: expect.any(Number),
    },
  ]);
  expect(Date.parse(run?.expiresAt ?? "") - Date.parse(run?.since ?? "")).toBe(60_000);
  expect(JSON.stringify(body)).not.toContain("xyz");
});

it("GW-4 tools are listed for an agent, and explain=1 adds those that are not visible with the reason", async () => {
  const config = { tools: { codeMode: true, deny: ["grep"] }, agents: { mute: { tools: { allow: [] } } } };
  await using gateway = await open({ config });
  const rows = async (query: string): Promise<readonly Record<string, unknown>[]> =>
    (await gateway.send(`/api/tools${query}`)).body.tools as Record<string, unknown>[];
  const listed = await rows("");
  expect(listed.find(({ name }) => name === "read")).toMatchObject({
    id: "openclaw:core:read",
    state: "visible",
    call: "tools.read",
    description: expect.stringMatching(/\w/),
  });
  expect(listed.some(({ name }) => name === "grep")).toBe(false);
  const denied = (await rows("?explain=1")).find(({ name }) => name === "grep");
  expect(denied).toMatchObject({ state: "denied", reason: 'tools.deny: "grep"' });
  expect(await rows("?agent=mute")).toEqual([]);
  expect(errorOf(await gateway.send("/api/tools?agent=none"))).toEqual([404, "unknown_agent"]);
});

it("GW-4 /api/events streams what happens in every session from now on, and ends when the client goes", async () => {
  await using gateway = await open();
  await record("before", 1);
  const stop = new AbortController();
  const reply = await fetch(`${gateway.url}/api/events`, {
    headers: { authorization: `Bearer ${token}` },
    signal: stop.signal,
  });
  expect(reply.headers.get("content-type")).toBe("text/event-stream");
  const reader = (reply.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
  let text = (await reader.read()).value ?? "";
  await record("one", 1);
  await record("two", 1);
  while (!text.includes('"two"')) text += (await reader.read()).value ?? "";
  const events = text.split("\n\n").filter((part) => part.startsWith("event: "));
  expect(events.map((part) => JSON.parse(part.split("data: ")[1] ?? "") as object)).toMatchObject([
    { sessionId: "one", seq: 0, type: "note" },
    { sessionId: "two", seq: 0, type: "note" },
  ]);
  expect(events[0]).toMatch(/^event: note\ndata: \{/);
  stop.abort();
  await expect(reader.read()).rejects.toThrow();
});

it("GW-4 /metrics counts turns, model requests, cells and calls in the Prometheus text format", async () => {
  const script = {
    steps: [{ toolCalls: [{ name: "exec", input: { code: "return await tools.ls({})" } }] }, { text: "x" }],
  };
  await using gateway = await open({ script });
  expect((await gateway.send("/api/sessions/one/turns", { message: "go" })).body.status).toBe("completed");
  const { headers, body } = await gateway.send("/metrics");
  expect(headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  const lines = String(body.text).split("\n");
  expect(lines).toContain("# TYPE code_mode_turns_total counter");
  for (const sample of [
    'code_mode_turns_total{status="completed"} 1',
    "code_mode_model_requests_total 2",
    "code_mode_cells_started_total 1",
    'code_mode_calls_total{outcome="completed"} 1',
  ])
    expect(lines).toContain(sample);
});

const hang = `export default { id: "hang", tools: [{ name: "hang", description: "", parameters: {}, execute: () => { globalThis.apiRoutesReached(); return new Promise(() => {}); } }] };`;

function reached(): Promise<void> {
  return new Promise((resolve) => {
    (globalThis as unknown as { apiRoutesReached(): void }).apiRoutesReached = resolve;
  });
}

it("GW-4 a session says whether a turn runs, and deleting it aborts the turn", async () => {
  folder.write("hang.mjs", hang);
  const script = { steps: [{ toolCalls: [{ name: "exec", input: { code: "return await tools.hang({})" } }] }] };
  await using gateway = await open({ script, config: { plugins: ["./hang.mjs"], tools: { codeMode: true } } });
  const hanging = reached();
  const turn = gateway.send("/api/sessions/one/turns", { message: "go" });
  await hanging;
  expect((await gateway.send("/api/sessions/one")).body).toMatchObject({ id: "one", turns: 1, running: true });
  expect((await remove(gateway, "/api/sessions/one")).status).toBe(200);
  expect((await turn).body).toMatchObject({ error: { code: "aborted", message: expect.stringContaining("deleted") } });
  expect((await gateway.send("/api/sessions")).body.sessions).toEqual([]);
});

it("GW-4 deleting a session closes the approvals that it waits for", async () => {
  const script = { steps: [{ toolCalls: [{ name: "exec", input: { code: "return await tools.ls({})" } }] }] };
  const tools = {
    codeMode: { enabled: true, timeoutMs: 60_000 },
    approval: { rules: [{ match: "ls", mode: "always" as const }] },
  };
  await using gateway = await open({ script, config: { tools } });
  const asked = Promise.withResolvers<void>();
  gateway.host.approvals.onEvent(({ type }) => {
    if (type === "approval_requested") asked.resolve();
  });
  const turn = gateway.send("/api/sessions/one/turns", { message: "go" });
  await asked.promise;
  const states = async (): Promise<unknown> =>
    ((await gateway.send("/api/approvals")).body.approvals as { state: string }[]).map(({ state }) => state);
  expect(await states()).toEqual(["pending"]);
  await remove(gateway, "/api/sessions/one");
  expect(await states()).not.toContain("pending");
  await turn;
});

it("GW-4 a client of /api/events that does not read is cut off instead of filling the memory", async () => {
  await using gateway = await open();
  const reply = await fetch(`${gateway.url}/api/events`, { headers: { authorization: `Bearer ${token}` } });
  store.openSession("one", "main");
  const text = "x".repeat(20_000);
  for (let count = 0; count < 3_000; count++) store.append("one", { type: "note", text });
  await store.flush();
  const events = (await reply.text()).split("\n\n").filter((part) => part.startsWith("event: "));
  expect(events.at(-1)).toBe("event: overflow\ndata: {}");
  expect(events.length).toBeLessThan(3_000);
});
