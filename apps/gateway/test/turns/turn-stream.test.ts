import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { expect, it } from "vitest";
import { startGateway } from "../../src/http/start-gateway.ts";
import { createMcpHttp } from "../../src/mcp-face/mcp-http.ts";
import { turnStream } from "../../src/turns/turn-stream.ts";
import { chatCall, chatReply, chatText } from "../provider/wire-replies.ts";
import { createFailingStore } from "./failing-store.ts";
import { type OpenTurns, type OpenTurnsOptions, openTurns } from "./open-turns.ts";
import { allEvents, type ClientEvent, readEvents } from "./read-events.ts";

const token = "a-token-of-this-test";
const gate = globalThis as { testGate?: (open: (value: unknown) => void) => void };

type Served = OpenTurns & {
  readonly url: string;
  ask(path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
};

async function serve(options: OpenTurnsOptions): Promise<Served> {
  const stack = new AsyncDisposableStack();
  const open = stack.use(await openTurns(options));
  const { turns, host } = open;
  const { url } = stack.use(
    await startGateway({ host: "127.0.0.1", port: 0, token, turns, mcp: createMcpHttp(host.mcp) }),
  );
  return {
    ...open,
    url,
    ask: (path, body, headers = {}) => {
      const sent = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
      const type = body === undefined ? {} : { "content-type": "application/json" };
      return fetch(url + path, { ...sent, headers: { authorization: `Bearer ${token}`, ...type, ...headers } });
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

const names = (events: readonly ClientEvent[]): string[] => events.map(({ name }) => name);
const turnsPath = "/api/sessions/s/turns";
const runsTool = [
  chatCall("exec", { code: "return await tools.counter_incr({ key: 'sse' })" }, "c1"),
  chatReply([{ content: "all " }, { content: "done" }, { finish_reason: "stop" }]),
];

/** A program that reaches the gate; opening it lets the turn go on. */
function gated(): { replies: OpenTurnsOptions["replies"]; reached: Promise<(value: unknown) => void> } {
  const { promise, resolve } = Promise.withResolvers<(value: unknown) => void>();
  gate.testGate = resolve;
  return {
    replies: [chatCall("exec", { code: "return await tools.gate({})" }, "c1"), chatText("done")],
    reached: promise,
  };
}

it("GW-3 a turn comes as events: calls, nested calls, text as it is written, done; ids are the numbers on record", async () => {
  await using served = await serve({ replies: runsTool });
  const reply = await served.ask(turnsPath, { message: "go" });
  expect([reply.status, reply.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
  const events = await allEvents(reply.body);
  expect(events.map(({ name, data }) => data.type ?? name)).toEqual([
    "tool_call",
    ...["call_started", "call_progress", "call_ended"],
    "tool_result",
    ...["text", "text"],
    "turn_ended",
  ]);
  expect([...new Set(names(events))]).toEqual(["tool_call", "nested_call", "text", "done"]);
  expect(events.filter(({ name }) => name === "text").map(({ data }) => data)).toEqual([
    { delta: "all ", offset: 0 },
    { delta: "done", offset: 4 },
  ]);
  const [call, nested] = events;
  expect([call?.data.toolCallId, nested?.data.parentId, nested?.data.toolId]).toEqual([
    "c1",
    "c1",
    "openclaw:counter:counter_incr",
  ]);
  for (const { name, data, id } of events) if (name !== "text") expect(id).toBe(String(data.seq));
  expect(events.at(-1)?.data).toMatchObject({
    status: "completed",
    text: "all done",
    steps: 2,
    usage: { requests: 2 },
  });
});

it("GW-3 a client that wants JSON gets the answer, and failures as errors", async () => {
  await using served = await serve({ replies: [chatText("hi")] });
  const json = { accept: "application/json" };
  const reply = await served.ask(turnsPath, { message: "go" }, json);
  expect(await reply.json()).toMatchObject({ sessionId: "s", status: "completed", text: "hi", usage: { requests: 1 } });
  const status = async (path: string, body: object) => {
    const answer = await served.ask(path, body);
    return [answer.status, ((await answer.json()) as { error: { code: string } }).error.code];
  };
  expect(await status(turnsPath, { message: "x", agent: "nobody" })).toEqual([404, "unknown_agent"]);
  expect(await status("/api/sessions/a%20b/turns", { message: "x" })).toEqual([400, "invalid_input"]);
  expect(await status(turnsPath, { message: "x", tools: { deny: ["group:nope"] } })).toEqual([400, "invalid_input"]);
  expect(await status(turnsPath, { message: "x", clientTools: [{}] })).toEqual([400, "invalid_input"]);
  expect(await status(turnsPath, { message: "x", disableTools: 1 })).toEqual([400, "invalid_input"]);
});

it("GW-3 a client that went away attaches again and misses nothing; the turn goes on meanwhile", async () => {
  const { replies, reached } = gated();
  await using served = await serve({ replies });
  const first = await served.ask(turnsPath, { message: "go" });
  const seen: ClientEvent[] = [];
  for await (const event of readEvents(first.body as ReadableStream<Uint8Array>)) {
    seen.push(event);
    if (event.name === "nested_call") break;
  }
  const openGate = await reached;
  const busy = await served.ask(turnsPath, { message: "x" });
  expect([busy.status, ((await busy.json()) as { error: { code: string } }).error.code]).toEqual([
    409,
    "turn_in_progress",
  ]);
  expect(served.turns.running("s")).toBeDefined();
  const again = served.ask("/api/sessions/s/events", undefined, { "last-event-id": seen.at(-1)?.id ?? "" });
  openGate(5);
  const rest = await allEvents((await again).body);
  expect(names(rest).slice(-4)).toEqual(["nested_call", "tool_call", "text", "done"]);
  const ids = [...seen, ...rest].filter(({ name }) => name !== "text").map(({ id }) => Number(id));
  expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
  // when all is over the same request tells the past and ends
  const late = await allEvents(
    (await served.ask("/api/sessions/s/events", undefined, { "last-event-id": seen.at(-1)?.id ?? "" })).body,
  );
  expect(names(late)).toEqual(names(rest));
  const all = await allEvents((await served.ask("/api/sessions/s/events")).body);
  expect(all.map(({ id }) => id)).toEqual([...seen, ...late].map(({ id }) => id));
});

it("GW-3 who attaches in the middle of a reply gets what was written of it, then the rest", async () => {
  const more = Promise.withResolvers<void>();
  const { pieces } = chatReply([{ content: "begin" }, { content: " end" }, { finish_reason: "stop" }]);
  await using served = await serve({
    replies: [{ pieces: pieces.slice(0, 1), until: more.promise, afterwards: pieces.slice(1) }],
  });
  const first = await served.ask(turnsPath, { message: "go" });
  const live = readEvents(first.body as ReadableStream<Uint8Array>);
  expect((await live.next()).value).toMatchObject({ name: "text", data: { delta: "begin", offset: 0 } });
  const second = await served.ask("/api/sessions/s/events", undefined, { "last-event-id": "1" });
  const attached = readEvents(second.body as ReadableStream<Uint8Array>);
  expect((await attached.next()).value).toMatchObject({ data: { delta: "begin", offset: 0 } });
  more.resolve();
  for (const events of [live, attached]) {
    expect((await events.next()).value).toMatchObject({ data: { delta: " end", offset: 5 } });
    expect((await events.next()).value).toMatchObject({ name: "done", data: { text: "begin end" } });
    expect((await events.next()).done).toBe(true);
  }
});

it("GW-3 an abort ends the turn of a session, and its events say so", async () => {
  const { replies, reached } = gated();
  await using served = await serve({ replies });
  const reply = await served.ask(turnsPath, { message: "go" });
  await reached;
  expect(await (await served.ask("/api/sessions/s/abort", {})).json()).toEqual({ sessionId: "s", aborted: true });
  expect((await allEvents(reply.body)).at(-1)).toMatchObject({
    name: "done",
    data: { status: "aborted", code: "aborted" },
  });
  expect(await (await served.ask("/api/sessions/s/abort", {})).json()).toEqual({ sessionId: "s", aborted: false });
  expect((await served.ask("/api/sessions/none/events")).status).toBe(404);
  expect((await served.ask("/api/sessions/s/events", undefined, { "last-event-id": "x" })).status).toBe(400);
});

it("GW-3 rules of a request narrow its turn alone", async () => {
  const code = "return Object.keys(tools).includes('counter_incr')";
  await using served = await serve({
    replies: (index) => (index % 2 === 0 ? chatCall("exec", { code }) : chatText("ok")),
  });
  const ask = async (tools: object): Promise<void> =>
    void (await (await served.ask(turnsPath, { message: "x", ...tools })).text());
  await ask({ tools: { deny: ["counter_incr"] } });
  await ask({});
  expect(served.results().map((result) => (result as { value: unknown }).value)).toEqual([false, true]);
  await ask({ disableTools: true });
  expect(served.provider.requests.at(-1)?.body.tools).toBeUndefined();
});

it("GW-3 a turn that cannot be recorded any more still ends its stream", async () => {
  const failing = createFailingStore();
  await using served = await serve({
    store: failing.store,
    replies: () => {
      failing.fail();
      return chatText("hi");
    },
  });
  const events = await allEvents((await served.ask(turnsPath, { message: "go" })).body);
  expect(events.at(-1)).toMatchObject({
    name: "done",
    data: { status: "failed", text: expect.stringContaining("disk is full") },
  });
  expect((await served.ask(turnsPath, { message: "go" })).status).toBe(503);
});

it("GW-3 a stream that follows hears the next turn too, and silence is filled with comments", async () => {
  await using open = await openTurns({ replies: [chatText("one"), chatText("two")] });
  await open.turns.run("s", { message: "a" });
  const stream = turnStream({
    log: open.log,
    turns: open.turns,
    sessionId: "s",
    after: -1,
    follow: true,
    limits: { heartbeatMs: 1 },
  });
  const [watched, raw] = stream.tee();
  const events = readEvents(watched);
  expect([(await events.next()).value?.data.delta, (await events.next()).value?.name]).toEqual(["one", "done"]);
  await open.turns.run("s", { message: "b" });
  expect([(await events.next()).value?.data.delta, (await events.next()).value?.name]).toEqual(["two", "done"]);
  await events.return(undefined);
  const reader = raw.getReader();
  for (let text = ""; !text.includes(": alive\n\n"); ) text += new TextDecoder().decode((await reader.read()).value);
  await reader.cancel();
});

it("GW-3 a client that does not read is cut off, and the turn ends as if nobody listened", async () => {
  const deltas = Array.from({ length: 200 }, (_, index) => ({ content: `${index} ${"x".repeat(200)}` }));
  const more = Promise.withResolvers<void>();
  const { pieces } = chatReply([...deltas, { finish_reason: "stop" }]);
  await using open = await openTurns({ replies: [{ pieces: [], until: more.promise, afterwards: pieces }] });
  const turn = open.turns.start("s", { message: "go" });
  let cut = 0;
  const stream = turnStream({
    log: open.log,
    turns: open.turns,
    sessionId: "s",
    after: -1,
    limits: { maxBehindBytes: 8 * 1024 },
    onCut: () => {
      cut += 1;
    },
  });
  more.resolve();
  expect((await turn.done).text).toHaveLength(deltas.map(({ content }) => content).join("").length);
  const taken = await allEvents(stream);
  expect([names(taken).includes("done"), cut]).toEqual([false, 1]);
  expect(taken.length).toBeLessThan(deltas.length);
  const again = await allEvents(turnStream({ log: open.log, turns: open.turns, sessionId: "s", after: -1 }));
  expect(names(again)).toEqual(["text", "done"]);
});

it("GW-3 a connection that takes nothing is dropped, and the client attaches again", async () => {
  const deltas = Array.from({ length: 400 }, () => ({ content: "x".repeat(32 * 1024) }));
  const attached = Promise.withResolvers<void>();
  const { pieces } = chatReply([...deltas, { finish_reason: "stop" }]);
  await using served = await serve({ replies: [{ pieces: [], until: attached.promise, afterwards: pieces }] });
  const turn = served.turns.start("s", { message: "go" });
  const asked = request(`${served.url}/api/sessions/s/events`, { headers: { authorization: `Bearer ${token}` } });
  asked.end();
  const [reply] = (await once(asked, "response")) as [IncomingMessage];
  reply.on("error", () => undefined);
  attached.resolve();
  await turn.done;
  // only now it reads: what was under way, and then an end without the event done
  let text = "";
  reply.setEncoding("utf8").on("data", (piece: string) => {
    text += piece;
  });
  await new Promise((resolve) => reply.once("close", resolve));
  expect(text).not.toContain("event: done");
  expect(text.length).toBeLessThan(deltas.length * 32 * 1024);
  expect(names(await allEvents((await served.ask("/api/sessions/s/events")).body))).toEqual(["text", "done"]);
});
