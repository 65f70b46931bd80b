import { expect, it } from "vitest";
import { TemporaryFolder } from "../temporary-folder.ts";
import { openGateway, token } from "./open-gateway.ts";
import { exchange, parseReply, RawSocket } from "./raw-socket.ts";

const auth = `Authorization: Bearer ${token}\r\n`;
const get = (path: string, headers = ""): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`;
const post = (headers: string, body = ""): string =>
  `POST /mcp HTTP/1.1\r\nHost: localhost\r\n${auth}Content-Type: application/json\r\n${headers}\r\n${body}`;

/** Frames that are no request, with the status and code that they get. */
const broken: readonly (readonly [name: string, text: string, status: number, code: string])[] = [
  ["a request line of noise", "\x16\x03\x01\x02\x00\r\n\r\n", 400, "bad_request"],
  ["an unknown version", "GET / HTTP/9.9\r\nHost: localhost\r\n\r\n", 400, "bad_request"],
  ["an unknown method", "FETCH / HTTP/1.1\r\nHost: localhost\r\n\r\n", 400, "bad_request"],
  ["a header without a colon", get("/healthz", "Broken\r\n"), 400, "bad_request"],
  ["a header name with a space", get("/healthz", "X y: 1\r\n"), 400, "bad_request"],
  ["a null in a header", get("/healthz", "X: a\0b\r\n"), 400, "bad_request"],
  ["both lengths", post("Content-Length: 2\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"), 400, "bad_request"],
  ["two lengths", post("Content-Length: 2\r\nContent-Length: 3\r\n", "{}x"), 400, "bad_request"],
  ["a length that is no number", post("Content-Length: 2x\r\n", "{}"), 400, "bad_request"],
  ["a negative length", post("Content-Length: -1\r\n", "{}"), 400, "bad_request"],
  ["chunked that is not last", post("Transfer-Encoding: chunked, gzip\r\n", "0\r\n\r\n"), 400, "bad_request"],
  ["a chunk size that is no number", post("Transfer-Encoding: chunked\r\n", "zz\r\n{}\r\n"), 400, "bad_request"],
  ["headers of 17 KiB", get("/healthz", `X: ${"x".repeat(17 * 1024)}\r\n`), 431, "headers_too_large"],
  ["a path of 17 KiB", get(`/${"x".repeat(17 * 1024)}`), 431, "headers_too_large"],
  ["no Host", "GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n", 400, "bad_request"],
  ["an empty Host", "GET /healthz HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n", 400, "bad_request"],
  ["a tunnel", "CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n", 405, "method_not_allowed"],
  ["an unknown expectation", post("Expect: miracles\r\nContent-Length: 2\r\n"), 417, "expectation_failed"],
];

it.each(broken)("GW-1 %s is answered with JSON and the connection ends", async (_name, text, status, code) => {
  using folder = new TemporaryFolder();
  await using gateway = await openGateway(folder);
  const reply = await exchange(gateway.url, text);
  expect([reply.status, reply.head]).toEqual([status, expect.stringContaining("content-type: application/json")]);
  expect(JSON.parse(reply.body)).toEqual({ error: { code, message: expect.any(String) } });
  expect((await gateway.send("/healthz")).status).toBe(200);
});

it("GW-1 a request hidden behind another one is judged by itself", async () => {
  using folder = new TemporaryFolder();
  await using gateway = await openGateway(folder);
  const close = "Connection: close\r\n";
  using piped = new RawSocket(gateway.url);
  const text = await piped.send(get("/x", auth) + get("/y", close)).closed();
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 404", "HTTP/1.1 401"]);
  using smuggled = new RawSocket(gateway.url);
  const hidden = get("/x", `${auth}Content-Length: 0\r\n`) + get("/healthz", `Host: evil.example\r\n${close}`);
  expect((await smuggled.send(hidden).closed()).match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 404", "HTTP/1.1 403"]);
});

it("GW-1 noise behind a request that is being answered does not get into its answer", async () => {
  using folder = new TemporaryFolder();
  folder.write(
    "gate.mjs",
    'export default { id: "gate", tools: [{ name: "gate", description: "", parameters: {}, execute: () => { globalThis.frontDoorReached(); return new Promise(() => {}); } }] };',
  );
  await using gateway = await openGateway(folder, {
    script: { steps: [{ toolCalls: [{ name: "exec", input: { code: "await tools.gate({})" } }] }, { text: "x" }] },
    config: { plugins: ["./gate.mjs"], tools: { codeMode: true } },
  });
  const reached = new Promise<void>((resolve) => {
    (globalThis as unknown as { frontDoorReached(): void }).frontDoorReached = resolve;
  });
  const body = JSON.stringify({ message: "go" });
  using socket = new RawSocket(gateway.url);
  socket.send(
    `POST /api/sessions/a/turns HTTP/1.1\r\nHost: localhost\r\n${auth}Accept: application/json\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  await reached;
  expect(await socket.send("NOISE\r\n\r\n").closed()).toBe("");
});

it("GW-1 headers that do not end and bodies that stop are cut off with 408", async () => {
  using folder = new TemporaryFolder();
  const limits = { headersTimeoutMs: 100, requestTimeoutMs: 200, checkIntervalMs: 20 };
  await using gateway = await openGateway(folder, { start: { limits } });
  for (const text of [
    "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
    post("Content-Length: 100\r\n", '{"a":'),
    post("Transfer-Encoding: chunked\r\n", '5\r\n{"a":\r\n'),
  ]) {
    const reply = await exchange(gateway.url, text);
    expect([text, reply.status, JSON.parse(reply.body)]).toEqual([
      text,
      408,
      { error: { code: "request_timeout", message: expect.any(String) } },
    ]);
  }
});

it("GW-1 a body that stops after the answer ends the connection without a second answer", async () => {
  using folder = new TemporaryFolder();
  const limits = { headersTimeoutMs: 100, requestTimeoutMs: 200, checkIntervalMs: 20 };
  await using gateway = await openGateway(folder, { start: { limits } });
  using socket = new RawSocket(gateway.url);
  const text = await socket.send(post("Content-Length: 100\r\n").replace("/mcp", "/api/nothing")).closed();
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 404"]);
});

it("GW-1 a body that is too large is refused before it has come, and the connection ends", async () => {
  using folder = new TemporaryFolder();
  await using gateway = await openGateway(folder);
  const reply = await exchange(gateway.url, post("Content-Length: 999999999999\r\n"));
  expect([reply.status, reply.head]).toEqual([413, expect.stringContaining("connection: close")]);
  using endless = new RawSocket(gateway.url);
  endless.send(post("Transfer-Encoding: chunked\r\n"));
  const chunk = `10000\r\n${" ".repeat(65_536)}\r\n`;
  for (let count = 0; count < 80; count++) endless.send(chunk);
  expect(parseReply(await endless.closed()).status).toBe(413);
});

it("GW-1 a gateway on IPv6 loopback says so in its URL and takes its own address as Host", async () => {
  using folder = new TemporaryFolder();
  await using gateway = await openGateway(folder, { start: { host: "::1" } });
  expect(gateway.url).toMatch(/^http:\/\/\[::1\]:\d+$/);
  expect((await gateway.send("/healthz", undefined, { origin: gateway.url })).status).toBe(200);
  await using bracketed = await openGateway(folder, { start: { host: "[::1]" } });
  expect((await bracketed.send("/healthz")).status).toBe(200);
});
