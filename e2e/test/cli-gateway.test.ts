import { readFileSync, statSync } from "node:fs";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { expect, it } from "vitest";
import { CliFolder, mcpServerFile, type Running, slowPlugin } from "./cli-process.ts";

const info = { name: "e2e", version: "1.0.0" };

function configured(): CliFolder {
  const folder = new CliFolder();
  folder.write("a.txt", "hello");
  folder.write("slow.mjs", slowPlugin);
  folder.write("script.json5", {
    steps: [{ toolCalls: [{ name: "exec", input: { code: "return 6 * 7" } }] }, { text: "It is ${results[0].value}" }],
  });
  folder.write("codemode.config.json5", {
    gateway: { port: 0 },
    plugins: ["./slow.mjs"],
    models: { default: "s/x", providers: { s: { api: "scripted", script: "./script.json5" } } },
    mcpServers: { files: { command: process.execPath, args: [mcpServerFile("filesystem"), folder.path] } },
    tools: { codeMode: { enabled: true } },
  });
  return folder;
}

type Served = { readonly running: Running; readonly url: string; readonly token: string };

async function serve(folder: CliFolder): Promise<Served> {
  const running = folder.start(["gateway", "--json"]);
  await running.stderrHas("MCP server files: ready");
  const { url, token } = JSON.parse(running.stdout().split("\n")[0] ?? "") as { url: string; token: string };
  return { running, url, token: readFileSync(token, "utf8").trim() };
}

async function stop({ running }: Served): Promise<number | null> {
  running.kill("SIGTERM");
  return (await running.ended).code;
}

it("CLI-2 gateway tells where it listens, where the token is, its tools and servers, and ends with 0 on SIGTERM", async () => {
  using folder = configured();
  const served = await serve(folder);
  const file = `${folder.path}/.codemode/token`;
  expect([statSync(file).mode & 0o777, readFileSync(file, "utf8").trim()]).toEqual([0o600, served.token]);
  expect((await fetch(`${served.url}/healthz`)).status).toBe(200);
  const turn = await fetch(`${served.url}/api/sessions/one/turns`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${served.token}`,
      "content-type": "application/json",
      accept: "application/json",
    },
    body: JSON.stringify({ message: "What is six times seven?" }),
  });
  expect(await turn.json()).toMatchObject({ status: "completed", text: "It is 42" });
  expect(await stop(served)).toBe(0);
  const { stdout, stderr } = await served.running.ended;
  expect(stderr).toMatch(/tools: core \d+\ntools: plugin slow 1\nMCP server files: ready, \d+ tools/);
  expect(stdout + stderr).not.toContain(served.token);
});

it("GW-5 both generations of the official client list and call over HTTP, each in a session of its own", async () => {
  using folder = configured();
  const served = await serve(folder);
  const endpoint = new URL(`${served.url}/mcp`);
  const requestInit = { headers: { authorization: `Bearer ${served.token}` } };
  const old = new OldClient(info);
  await old.connect(new OldTransport(endpoint, { requestInit }) as Parameters<OldClient["connect"]>[0]);
  const modern = new Client(info, { versionNegotiation: { mode: "auto" } });
  await modern.connect(new StreamableHTTPClientTransport(endpoint, { requestInit }));
  const call = {
    name: "exec",
    arguments: { code: 'return (await MCP.files.readTextFile({ path: "a.txt" })).data.content' },
  };
  for (const client of [old, modern]) {
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["exec", "wait"]);
    expect((await client.callTool(call)).structuredContent).toMatchObject({ status: "completed", value: "hello" });
  }
  await old.close();
  await modern.close();
  expect(await stop(served)).toBe(0);
});

it("GW-8 SIGTERM lets a running call end before the gateway does", async () => {
  using folder = configured();
  const served = await serve(folder);
  const client = new Client(info);
  const requestInit = { headers: { authorization: `Bearer ${served.token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${served.url}/mcp`), { requestInit }));
  const started = Promise.withResolvers<void>();
  const answer = client.callTool(
    { name: "exec", arguments: { code: "return await tools.slow({})" } },
    { onprogress: () => started.resolve() },
  );
  await started.promise;
  served.running.kill("SIGTERM");
  expect((await answer).structuredContent).toMatchObject({ status: "completed", value: "done" });
  await client.close();
  expect((await served.running.ended).code).toBe(0);
});

it("CLI-2 a port that is taken or no number is wrong usage with the way out", async () => {
  using folder = configured();
  const served = await serve(folder);
  using other = configured();
  const taken = await other.run(["gateway", "--port", new URL(served.url).port]);
  expect([taken.code, taken.stderr]).toEqual([2, expect.stringContaining("Set gateway.port to a free port or 0")]);
  const wrong = await folder.run(["gateway", "--port", "http"]);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("--port")]);
  expect(await stop(served)).toBe(0);
});
