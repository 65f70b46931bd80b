import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { debugFetch } from "../../src/debug/debug-fetch.ts";
import { openDebug } from "../../src/debug/open-debug.ts";

const key = "a-provider-key-12345";
const events = ["one", "two", "three", "four", "five", "six"].map(
  (text) => `event: content\ndata: {"type":"delta","text":"${text} ${key}"}\n\n`,
);

/** A provider that streams six events in pieces that split lines. */
async function serve(): Promise<AsyncDisposable & { url: string }> {
  const server: Server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const text = events.join("");
    for (let at = 0; at < text.length; at += 7) response.write(text.slice(at, at + 7));
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/x?key=${key}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function linesOf(env: Record<string, string>, body: object): Promise<{ lines: string[]; text: string }> {
  await using provider = await serve();
  const lines: string[] = [];
  const debug = openDebug({ env, secrets: [key], write: (line) => lines.push(line) });
  const send = debug === undefined ? fetch : debugFetch(fetch, debug);
  const headers = { authorization: `Bearer ${key}` };
  const reply = await send(provider.url, { method: "POST", headers, body: JSON.stringify(body) });
  return { text: await reply.text(), lines };
}

const request = {
  messages: [{ role: "user", content: `hello ${key}` }],
  tools: [
    { type: "function", function: { name: "exec" } },
    { name: "wait" },
    { functionDeclarations: [{ name: "camera" }] },
  ],
};

it("DBG-1 without a variable nothing is logged and nothing stands in between", async () => {
  const { lines, text } = await linesOf({}, request);
  expect([lines, text]).toEqual([[], events.join("")]);
});

it("DBG-1 the transport variable tells requests and responses, without keys and bodies", async () => {
  const { lines, text } = await linesOf({ OPENCLAW_DEBUG_MODEL_TRANSPORT: "1" }, request);
  expect(lines).toEqual([
    expect.stringMatching(/^\[model-transport\] request \{"method":"POST","url":"http:.*","bytes":\d+\}$/),
    expect.stringMatching(/^\[model-transport\] response \{"status":200,"type":"text\/event-stream","ms":\d+\}$/),
  ]);
  expect(lines.join("")).not.toMatch(new RegExp(`${key}|hello`));
  expect(text).toBe(events.join(""));
});

it("DBG-1 the payload variable tells tool names of every format, or the whole redacted body with a warning", async () => {
  const names = await linesOf({ OPENCLAW_DEBUG_MODEL_PAYLOAD: "tools" }, request);
  expect(names.lines).toEqual(['[model-payload] tools {"names":["exec","wait","camera"]}']);
  const { lines } = await linesOf({ OPENCLAW_DEBUG_MODEL_PAYLOAD: "full-redacted" }, request);
  expect(lines[0]).toContain("prompts and message text may appear");
  expect(lines.at(-1)).toContain('"content":"hello [redacted]"');
  const large = await linesOf(
    { OPENCLAW_DEBUG_MODEL_PAYLOAD: "full-redacted" },
    { text: Array(9).fill("x".repeat(30_000)) },
  );
  expect(Buffer.byteLength(large.lines.at(-1) ?? "")).toBeLessThan(70_000);
});

it("DBG-1 the stream variable tells the type of every event, or the first five redacted ones", async () => {
  const types = await linesOf({ OPENCLAW_DEBUG_SSE: "events" }, request);
  expect(types.lines).toEqual(Array(6).fill("[sse] content"));
  const { lines, text } = await linesOf({ OPENCLAW_DEBUG_SSE: "peek" }, request);
  expect(lines.slice(1)).toEqual(
    ["one", "two", "three", "four", "five"].map((word) => `[sse] content {"type":"delta","text":"${word} [redacted]"}`),
  );
  expect(text).toBe(events.join(""));
});

it("DBG-1 a value that means nothing switches nothing on and is said", async () => {
  const { lines } = await linesOf({ OPENCLAW_DEBUG_SSE: "peak", OPENCLAW_DEBUG_CODE_MODE: "yes" }, request);
  expect(lines).toEqual([
    expect.stringMatching(/^warning: OPENCLAW_DEBUG_CODE_MODE: "yes" is not known; use 1/),
    expect.stringMatching(/^warning: OPENCLAW_DEBUG_SSE: "peak" is not known; use events or peek\..*peek/),
  ]);
});

it("DBG-1 a request that fails is told with its reason", async () => {
  const lines: string[] = [];
  const debug = openDebug({
    env: { OPENCLAW_DEBUG_MODEL_TRANSPORT: "1" },
    secrets: [],
    write: (line) => lines.push(line),
  });
  if (debug === undefined) throw new Error("off");
  await expect(debugFetch(fetch, debug)("http://127.0.0.1:1/", {})).rejects.toThrow();
  expect(lines.at(-1)).toMatch(/^\[model-transport\] failed \{"error":".+","ms":\d+\}$/);
});
