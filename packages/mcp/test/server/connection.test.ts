import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text as readAll } from "node:stream/consumers";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it, onTestFinished } from "vitest";
import { fixture, temporaryFolder } from "../support.ts";

const info = { name: "test", version: "1.0.0" };

function argumentsOf(drainMs: number): string[] {
  const log = join(temporaryFolder(), "log");
  return ["--conditions=@code-mode/source", fixture("face-server.ts"), log, String(drainMs)];
}

/** What the face answers to requests whose pipe is closed right after them. */
async function pipe(drainMs: number, ...requests: object[]): Promise<{ answers: Map<number, object>; code: unknown }> {
  const child = spawn(process.execPath, argumentsOf(drainMs), { stdio: ["pipe", "pipe", "ignore"] });
  const exited = once(child, "exit");
  const output = readAll(child.stdout);
  child.stdin.end(requests.map((request) => `${JSON.stringify({ jsonrpc: "2.0", ...request })}\n`).join(""));
  const lines = (await output).split("\n").filter((line) => line !== "");
  const answers = lines.map((line) => JSON.parse(line) as { id: number });
  return { answers: new Map(answers.map((answer) => [answer.id, answer])), code: (await exited)[0] };
}

const hello = {
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: info },
};
const exec = (id: number, code: string): object => ({
  id,
  method: "tools/call",
  params: { name: "exec", arguments: { code } },
});

describe("the end of the input", () => {
  it("everything that was received before it is answered, then the process ends", async () => {
    // far more than a pipe holds
    const many = Array.from({ length: 300 }, (_, index) => exec(index + 10, `${index} ${"x".repeat(2_000)}`));

    const { answers, code } = await pipe(30_000, hello, exec(2, "later"), ...many, exec(3, "release"));

    expect(answers.size).toBe(303);
    expect(answers.get(2)).toMatchObject({ result: { structuredContent: { status: "completed", value: "later" } } });
    expect(code).toBe(0);
  });

  it("a call that does not end in time is aborted and the process ends all the same", async () => {
    const { answers, code } = await pipe(200, hello, exec(2, "hang"));

    expect([...answers.keys()]).toEqual([1]);
    expect(code).toBe(0);
  });

  it("a notification alone, or nothing at all, ends the process at once", async () => {
    const empty = await pipe(30_000);
    const notified = await pipe(30_000, { method: "notifications/initialized" });

    expect([empty, notified]).toEqual([
      { answers: new Map(), code: 0 },
      { answers: new Map(), code: 0 },
    ]);
  });
});

describe.each(["legacy", "auto"] as const)("a client that listens (%s)", (mode) => {
  it("is told when the list of tools looks different, and only then", async () => {
    const told = Promise.withResolvers<void>();
    let times = 0;
    const onChanged = (): void => {
      times += 1;
      told.resolve();
    };
    const client = new Client(info, {
      versionNegotiation: { mode },
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged } },
    });
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: argumentsOf(50), stderr: "ignore" }),
    );
    onTestFinished(() => client.close());
    const before = (await client.listTools()).tools[0]?.description;

    await client.callTool({ name: "exec", arguments: { code: "change nothing" } });
    await client.callTool({ name: "exec", arguments: { code: "describe anew" } });
    await told.promise;
    const { tools } = await client.listTools(undefined, { cacheMode: "refresh" });

    expect([before, tools[0]?.description, times]).toEqual(["Runs a program.", "Runs a program, and more.", 1]);
    expect(tools.every(({ inputSchema }) => inputSchema.type === "object")).toBe(true);
  });
});
