import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { fileHolds, fixture, temporaryFolder } from "../support.ts";

type Progress = { progress: number; message?: string };
type CallOptions = { signal?: AbortSignal; onprogress?: (progress: Progress) => void };
type Answer = { content?: unknown; structuredContent?: Record<string, unknown>; isError?: boolean };
/** What the tests need of a client, whatever its version. */
type Face = {
  names(): Promise<string[]>;
  call(name: string, input: Record<string, unknown>, options?: CallOptions): Promise<Answer>;
  errors: Error[];
  log: string;
  close(): Promise<void>;
};

const info = { name: "test", version: "1.0.0" };

function parameters(log: string): { command: string; args: string[]; stderr: "ignore" } {
  return {
    command: process.execPath,
    args: ["--conditions=@code-mode/source", fixture("face-server.ts"), log],
    stderr: "ignore",
  };
}

async function connectNew(mode: "auto" | "legacy", log: string): Promise<Face> {
  const client = new Client(info, { versionNegotiation: { mode } });
  const errors: Error[] = [];
  client.onerror = (error) => errors.push(error);
  await client.connect(new StdioClientTransport(parameters(log)));
  return {
    names: async () => (await client.listTools()).tools.map((tool) => tool.name),
    call: async (name, input, options) =>
      (await client.callTool({ name, arguments: input }, options as never)) as Answer,
    errors,
    log,
    close: () => client.close(),
  };
}

async function connectOld(log: string): Promise<Face> {
  const client = new OldClient(info);
  const errors: Error[] = [];
  client.onerror = (error) => errors.push(error);
  await client.connect(new OldTransport(parameters(log)));
  return {
    names: async () => (await client.listTools()).tools.map((tool) => tool.name),
    call: async (name, input, options) =>
      (await client.callTool({ name, arguments: input }, undefined, options as never)) as Answer,
    errors,
    log,
    close: () => client.close(),
  };
}

const clients = [
  { client: "a v2 client of the 2026 era", connect: (log: string) => connectNew("auto", log) },
  { client: "a v2 client of the 2025 era", connect: (log: string) => connectNew("legacy", log) },
  { client: "a v1 client", connect: connectOld },
];

describe.each(clients)("the stdio face to $client", ({ connect }) => {
  let folder: string;
  let face: Face;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "code-mode-face-"));
    face = await connect(join(folder, "log"));
  });
  afterAll(async () => {
    await face.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A connection of a test's own. */
  async function open(): Promise<Face> {
    const own = await connect(join(temporaryFolder(), "log"));
    onTestFinished(() => own.close());
    return own;
  }

  it("MCPS-1 exactly the given tools are listed, and a result comes as structured content and as compact JSON", async () => {
    const names = await face.names();
    const done = await face.call("exec", { code: "1" });
    const parked = await face.call("exec", { code: "park" });

    expect(names).toEqual(["exec", "wait", "picture", "list"]);
    expect(done.structuredContent).toMatchObject({ status: "completed", value: "1" });
    expect(done.content).toEqual([{ type: "text", text: JSON.stringify(done.structuredContent) }]);
    expect(parked.structuredContent).toMatchObject({ status: "waiting", runId: "run_1" });
    expect([done.isError, parked.isError]).toEqual([false, false]);
  });

  it("MCPS-1 isError is true for a failed cell, with the same object in both places", async () => {
    const failed = await face.call("exec", { code: "fail" });

    expect(failed.isError).toBe(true);
    expect(failed.structuredContent).toMatchObject({ status: "failed", error: "it broke", code: "guest_error" });
    expect(failed.content).toEqual([{ type: "text", text: JSON.stringify(failed.structuredContent) }]);
  });

  it("MCPS-2 one connection is one session and one run with ids of 128 random bits", async () => {
    const [first, second] = await Promise.all([open(), open()]);

    const scopes = [
      await first.call("exec", { code: "scope" }),
      await first.call("exec", { code: "scope" }),
      await second.call("exec", { code: "scope" }),
    ].map((answer) => answer.structuredContent?.value as Record<string, string>);

    expect(scopes[0]).toMatchObject({
      agentId: "main",
      channel: "mcp",
      sessionId: expect.stringMatching(/^mcp_[0-9a-f]{32}$/),
      agentRunId: expect.stringMatching(/^run_[0-9a-f]{32}$/),
    });
    expect(scopes[1]).toEqual(scopes[0]);
    expect(scopes[2]?.sessionId).not.toBe(scopes[0]?.sessionId);
    expect(scopes[2]?.agentRunId).not.toBe(scopes[0]?.agentRunId);
    expect(readFileSync(first.log, "utf8").match(/^session /gm)).toHaveLength(1);
  });

  it("MCPS-2 a client that goes away aborts its calls and ends the session and the process", async () => {
    const own = await open();
    const running = own.call("exec", { code: "hang" }).catch(() => "gone");
    await fileHolds(own.log, "exec hang");

    await own.close();
    await fileHolds(own.log, "end");

    expect(await running).toBe("gone");
    expect(readFileSync(own.log, "utf8")).toMatch(/closed mcp_[0-9a-f]{32} run_[0-9a-f]{32} 0\n/);
    await fileHolds(own.log, "aborted hang");
  });

  it("MCPS-3 a cancelled request aborts the call", async () => {
    const abort = new AbortController();

    const running = face.call("exec", { code: "hang until cancelled" }, { signal: abort.signal });
    const rejected = expect(running).rejects.toThrow();
    await fileHolds(face.log, "exec hang until cancelled");
    abort.abort();

    await rejected;
    await fileHolds(face.log, "aborted hang until cancelled");
  });

  it("MCPS-3 a client that gave a token gets signs of life and what the host reports", async () => {
    const abort = new AbortController();
    const heard: Progress[] = [];
    const threeLines = Promise.withResolvers<void>();

    const onprogress = (progress: Progress): void => {
      heard.push(progress);
      if (heard.length === 3) threeLines.resolve();
    };
    const running = face.call("exec", { code: "hang and report" }, { signal: abort.signal, onprogress });
    const rejected = expect(running).rejects.toThrow();
    await threeLines.promise;
    abort.abort();
    await rejected;

    const beat = expect.stringMatching(/^exec has been running for \d+ s$/);
    expect(heard.slice(0, 3)).toEqual([
      { progress: 1, message: "tools.read started" },
      { progress: 2, message: beat },
      { progress: 3, message: beat },
    ]);
  });

  it("MCPS-3 a control gets the shorter of its own time and the longest call", async () => {
    const { value } = (await face.call("exec", { code: "budget" })).structuredContent as {
      value: { ms: number; receivedAt: number };
    };

    expect(value).toEqual({ ms: expect.any(Number), receivedAt: expect.any(Number) });
    expect(value.ms).toBeLessThanOrEqual(40_000);
    expect(value.ms).toBeGreaterThan(0);
  });

  it("what the process prints to stdout does not reach the client", async () => {
    const own = await open();

    const answer = await own.call("exec", { code: "print" });

    expect(answer.structuredContent).toMatchObject({ status: "completed", value: "print" });
    expect(own.errors).toEqual([]);
  });

  it("an unknown tool is a protocol error that names the tools", async () => {
    await expect(face.call("exce", {})).rejects.toMatchObject({
      code: -32_602,
      message: expect.stringContaining(
        "Unknown tool: exce. This server offers exec, wait, picture, list. Did you mean exec?",
      ),
    });
  });

  it("a tool that throws is an answer with isError", async () => {
    expect(await face.call("exec", { code: "throw" })).toMatchObject({
      isError: true,
      content: [{ type: "text", text: '"exec" failed: the host broke' }],
    });
  });

  it("a direct tool's content is passed on as it is, any other value as JSON text", async () => {
    expect(await face.call("picture", {})).toMatchObject({
      content: [{ type: "image", mimeType: "image/png", data: "AAAA" }],
    });
    expect(await face.call("list", {})).toMatchObject({ content: [{ type: "text", text: "[1,2]" }] });
  });
});

describe("the stdio face", () => {
  it("every line on stdout is one JSON-RPC message", async () => {
    const { spawn } = await import("node:child_process");
    const { command, args } = parameters(join(temporaryFolder(), "log"));
    const child = spawn(command, args, { stdio: ["pipe", "pipe", "ignore"] });
    const chunks: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    const send = (message: object): void =>
      void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    const answered = new Promise<void>((resolve) => {
      child.stdout.on("data", () => Buffer.concat(chunks).includes('"id":2') && resolve());
    });

    send({
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2024-11-05", capabilities: {}, clientInfo: info },
    });
    send({ method: "notifications/initialized" });
    send({ id: 2, method: "tools/call", params: { name: "exec", arguments: { code: "print" } } });
    await answered;
    const exited = new Promise((resolve) => child.once("exit", resolve));
    child.stdin.end();
    const code = await exited;

    const lines = Buffer.concat(chunks).toString().trimEnd().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as { id: number }).id)).toEqual([1, 2]);
    expect(code).toBe(0);
  });
});
