import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface, type Interface } from "node:readline";
import type { JsonObject } from "@code-mode/contract";
import { expect, it, onTestFinished } from "vitest";
import { type CaseServerSpec, CaseServers, serverSpecsOf } from "../src/index.ts";

type Running = { readonly child: ChildProcess; readonly lines: AsyncIterator<string>; readonly servers: CaseServers };

/** The fixture server as a client starts it. */
async function start(spec: CaseServerSpec): Promise<Running> {
  const servers = await CaseServers.open({ s: spec });
  const config = servers.configs.s;
  if (config === undefined || !("command" in config)) throw new Error("no stdio server");
  const child = spawn(config.command, config.args, { stdio: ["pipe", "pipe", "inherit"] });
  const lines: Interface = createInterface({ input: child.stdout });
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill();
      await once(child, "exit");
    }
    await servers[Symbol.asyncDispose]();
  });
  return { child, lines: lines[Symbol.asyncIterator](), servers };
}

function send({ child }: Running, message: JsonObject): void {
  child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

async function receive({ lines }: Running): Promise<JsonObject> {
  return JSON.parse((await lines.next()).value as string) as JsonObject;
}

const call = (name: string) => ({ id: 7, method: "tools/call", params: { name, arguments: { a: 1 } } });
const specOf = (described: JsonObject): CaseServerSpec =>
  serverSpecsOf({ mcpServers: { s: described } }).s as CaseServerSpec;
const plain: CaseServerSpec = { tools: [], calls: {}, transport: "stdio" };

it("a tool of a case without behaviour answers with its name and arguments, and the journal has call and message", async () => {
  const server = await start(specOf({ tools: ["ok"] }));
  send(server, call("ok"));
  expect(await receive(server)).toMatchObject({ id: 7, result: { content: [{ text: 'ok {"a":1}' }] } });
  const journal = server.servers.journals.s;
  expect(journal?.takeCalls()).toEqual([{ tool: "ok", input: { a: 1 } }]);
  expect(journal?.takeCalls()).toEqual([]);
  expect([journal?.spawns, journal?.heard.map(({ method }) => method)]).toEqual([1, ["tools/call"]]);
});

it("a server dies in the middle of a call with the code that the case says", async () => {
  const server = await start(specOf({ tools: ["hang"], onCall: { hang: "process exits with code 137 after 100 ms" } }));
  const ended = once(server.child, "exit");
  send(server, call("hang"));
  expect((await ended)[0]).toBe(137);
});

it("a server writes half a line and ends, or prints noise before it answers", async () => {
  const half = await start(specOf({ tools: ["bye"], onCall: { bye: "writes half a JSON line then exits" } }));
  send(half, call("bye"));
  expect((await half.lines.next()).value).toBe('{"jsonrpc":"2.0","id"');
  const noisy = await start(specOf({ tools: ["ok"], stdoutNoise: ["Starting...\n"] }));
  send(noisy, { id: 1, method: "ping" });
  expect((await noisy.lines.next()).value).toBe("Starting...");
});

it("a server changes its tools, tells it, and lists them in pages", async () => {
  const tool = (name: string) => ({ name, inputSchema: { type: "object" } });
  const server = await start({
    ...plain,
    tools: [tool("a"), tool("b")],
    calls: { a: { do: "change", add: [tool("c")], remove: ["b"] } },
    pageSize: 1,
  });
  send(server, call("a"));
  expect(await receive(server)).toMatchObject({ method: "notifications/tools/list_changed" });
  await receive(server);
  send(server, { id: 1, method: "tools/list" });
  expect(await receive(server)).toMatchObject({ result: { tools: [{ name: "a" }], nextCursor: "1" } });
  send(server, { id: 2, method: "tools/list", params: { cursor: "1" } });
  expect((await receive(server)).result).toEqual({ tools: [tool("c")] });
});

it("a server answers twice, with 50 MB, or never", async () => {
  const bytes = 50 * 1024 * 1024;
  const server = await start({ ...plain, calls: { x: { do: "twice" }, y: { do: "big", bytes }, z: { do: "hang" } } });
  send(server, call("x"));
  expect([(await receive(server)).id, (await receive(server)).id]).toEqual([7, 7]);
  send(server, call("z"));
  send(server, call("y"));
  expect(JSON.stringify(await receive(server)).length).toBeGreaterThan(bytes);
});

it("an HTTP server forgets its session after the first call", async () => {
  const described = { transport: "streamable-http", tools: ["ok"], after: "first call: forget session, reply 404" };
  await using servers = await CaseServers.open({ s: specOf(described) });
  const config = servers.configs.s;
  const post = (message: JsonObject, session = ""): Promise<Response> =>
    fetch(config !== undefined && "url" in config ? config.url : "", {
      method: "POST",
      headers: { "mcp-session-id": session },
      body: JSON.stringify({ jsonrpc: "2.0", ...message }),
    });
  const begun = await post({ id: 1, method: "initialize", params: { protocolVersion: "2025-11-25" } });
  const session = begun.headers.get("mcp-session-id") ?? "";
  expect([(await post(call("ok"), session)).status, (await post(call("ok"), session)).status]).toEqual([200, 404]);
});

it("prose that no server understands is refused instead of played as something else", () => {
  expect(() => specOf({ tools: ["f"], onCall: { f: "dances" } })).toThrow("dances");
  expect(() => serverSpecsOf({ mcpServers: { s: ["pay v1 {amount}"] } })).toThrow("pay v1");
});
