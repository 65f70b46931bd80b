import { readFileSync } from "node:fs";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { expect, it } from "vitest";
import { CliFolder, codemodeBinary, mcpServerFile, slowPlugin } from "./cli-process.ts";

type Answer = {
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent: Record<string, unknown>;
  readonly isError: boolean;
};
type AnyClient = AsyncDisposable & {
  listNames(): Promise<string[]>;
  call(name: string, input: Record<string, unknown>): Promise<Answer>;
};

const info = { name: "e2e", version: "1.0.0" };

/** A tool that only its abort ends, and one that tells how it ended. */
const forever = `const ended = Promise.withResolvers();
const tool = (name, execute) => ({ name, description: "", parameters: {}, execute });
export default { id: "slow", tools: [
  tool("forever", (_, { signal, onUpdate }) => new Promise((_resolve, reject) => {
    onUpdate("begun");
    signal.addEventListener("abort", () => { ended.resolve("aborted"); reject(new Error("aborted")); });
  })),
  tool("ended", () => ended.promise),
] };`;

const directTools = `const tool = (name, execute) => ({ name, description: "", parameters: {}, catalogMode: "direct-only", execute });
const content = [{ type: "image", data: "AAAA", mimeType: "image/png" }];
export default { id: "p", tools: [tool("camera", () => ({ content })), tool("computer", () => "clicked")] };`;

function configured(): CliFolder {
  const folder = new CliFolder();
  folder.write("a.txt", "hello");
  folder.write("slow.mjs", slowPlugin);
  folder.write("noisy.mjs", 'console.log("printed by a plugin"); export default { id: "noisy" };');
  folder.write("codemode.config.json5", {
    plugins: ["./slow.mjs", "./noisy.mjs"],
    mcpServers: { files: { command: process.execPath, args: [mcpServerFile("filesystem"), folder.path] } },
    tools: { codeMode: { timeoutMs: 2_000 } },
  });
  return folder;
}

function parametersOf(folder: CliFolder) {
  return {
    command: process.execPath,
    args: [codemodeBinary, "mcp"],
    cwd: folder.path,
    env: folder.env,
    stderr: "ignore" as const,
  };
}

async function connectNew(folder: CliFolder): Promise<AnyClient> {
  const client = new Client(info);
  await client.connect(new StdioClientTransport(parametersOf(folder)));
  return {
    listNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, input) => (await client.callTool({ name, arguments: input })) as unknown as Answer,
    [Symbol.asyncDispose]: () => client.close(),
  };
}

async function connectOld(folder: CliFolder): Promise<AnyClient> {
  const client = new OldClient(info);
  await client.connect(new OldTransport(parametersOf(folder)));
  return {
    listNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, input) => (await client.callTool({ name, arguments: input })) as unknown as Answer,
    [Symbol.asyncDispose]: () => client.close(),
  };
}

const clients = [["v2", connectNew] as const, ["v1", connectOld] as const];

it.each(clients)("MCPS-1 the %s client of the official SDK lists exactly exec and wait", async (_version, connect) => {
  using folder = configured();
  await using client = await connect(folder);
  expect(await client.listNames()).toEqual(["exec", "wait"]);
});

it.each(clients)("CLI-3 a program sent by the %s client calls a filesystem tool", async (_version, connect) => {
  using folder = configured();
  await using client = await connect(folder);
  const answer = await client.call("exec", {
    code: 'return (await MCP.files.readTextFile({ path: "a.txt" })).data.content',
  });
  expect(answer.structuredContent).toMatchObject({ status: "completed", value: "hello" });
  expect(JSON.parse(answer.content[0]?.text ?? "")).toEqual(answer.structuredContent);
  expect(answer.isError).toBe(false);
});

it.each(clients)("CLI-3 a suspended program is resumed by wait of the %s client", async (_version, connect) => {
  using folder = configured();
  await using client = await connect(folder);
  const parked = await client.call("exec", { code: "return await tools.slow({})" });
  expect(parked.structuredContent).toMatchObject({ status: "waiting", reason: "pending_tools" });
  const { runId } = parked.structuredContent;
  const done = await client.call("wait", { runId });
  expect(done.structuredContent).toMatchObject({ status: "completed", value: "done" });
});

it("MCPS-1 isError is true exactly for a failed program, and the next one works", async () => {
  using folder = configured();
  await using client = await connectNew(folder);
  const failed = await client.call("exec", { code: "return (" });
  expect([failed.isError, failed.structuredContent.code]).toEqual([true, "invalid_input"]);
  const next = await client.call("exec", { code: "return 1" });
  expect([next.isError, next.structuredContent.value]).toEqual([false, 1]);
});

it("CLI-3 stdout holds nothing but protocol, and the process ends with its client", async () => {
  using folder = configured();
  const request = {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: info },
  };
  const { code, stdout, stderr } = await folder.run(["mcp"], `${JSON.stringify(request)}\n`);
  const messages = stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as { jsonrpc: string });
  expect(messages.every(({ jsonrpc }) => jsonrpc === "2.0")).toBe(true);
  expect(stderr).toContain("printed by a plugin");
  expect(code).toBe(0);
});

it("CONF-2 one --mcp-config wraps the servers of an existing .mcp.json", async () => {
  using folder = new CliFolder();
  folder.write("a.txt", "hello");
  folder.write("project/.mcp.json", {
    mcpServers: {
      "my files": {
        type: "stdio",
        command: process.execPath,
        args: [mcpServerFile("filesystem"), folder.path],
        alwaysAllow: ["read_file"],
      },
    },
  });
  const client = new Client(info);
  const args = [codemodeBinary, "mcp", "--mcp-config", "project/.mcp.json"];
  await client.connect(new StdioClientTransport({ ...parametersOf(folder), args }));
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(["exec", "wait"]);
  expect(tools[0]?.description).toContain("myFiles (14)");
  const code = `return (await MCP.myFiles.readTextFile({ path: ${JSON.stringify(`${folder.path}/a.txt`)} })).data.content`;
  expect((await client.callTool({ name: "exec", arguments: { code } })).structuredContent).toMatchObject({
    value: "hello",
  });
  await client.close();
});

it("MCPS-3 nested calls are told to a client that asked for progress, and a cancelled request aborts them", async () => {
  using folder = configured();
  folder.write("slow.mjs", forever);
  const client = new Client(info);
  await client.connect(new StdioClientTransport(parametersOf(folder)));
  const stop = new AbortController();
  const lines: string[] = [];
  const started = Promise.withResolvers<void>();
  const answer = client.callTool(
    { name: "exec", arguments: { code: "return await tools.forever({})" } },
    {
      signal: stop.signal,
      onprogress: ({ message = "" }) => {
        lines.push(message);
        if (message.includes("begun")) started.resolve();
      },
    },
  );
  await started.promise;
  expect(lines).toEqual(["openclaw:slow:forever started", "openclaw:slow:forever: begun"]);
  stop.abort();
  await expect(answer).rejects.toThrow();
  const seen = await client.callTool({ name: "exec", arguments: { code: "return await tools.ended({})" } });
  expect(seen.structuredContent).toMatchObject({ value: "aborted" });
  await client.close();
});

it("MCPS-1 a direct-only tool shows where mcpServer.directTools names it", async () => {
  using folder = new CliFolder();
  folder.write("p.mjs", directTools);
  folder.write("codemode.config.json5", { plugins: ["./p.mjs"], mcpServer: { directTools: ["camera"] } });
  await using client = await connectNew(folder);
  expect(await client.listNames()).toEqual(["exec", "wait", "camera"]);
  expect((await client.call("camera", {})).content).toEqual([{ type: "image", data: "AAAA", mimeType: "image/png" }]);
});

it("a code mode behind a code mode works: its exec and wait are tools of a server like any other", async () => {
  using folder = new CliFolder();
  folder.write("inner/a.txt", "from the inner workspace");
  folder.write("inner/codemode.config.json5", {});
  folder.write("codemode.config.json5", {
    mcpServers: { inner: { command: process.execPath, args: [codemodeBinary, "mcp"], cwd: `${folder.path}/inner` } },
  });
  await using client = await connectNew(folder);
  const code = `const inner = 'return (await tools.read({ path: "a.txt" })).content';
    return [(await MCP.inner.exec({ code: inner })).data.value, (await MCP.inner.wait({ runId: "x" })).isError];`;
  const answer = await client.call("exec", { code });
  expect(answer.structuredContent).toMatchObject({ value: ["from the inner workspace", true] });
});

it("MCPS-2 a client that goes away in the middle of a call ends the process, its cell and its MCP servers", async () => {
  using folder = new CliFolder();
  const pidFile = `${folder.path}/pid`;
  const start = `require("node:fs").writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); import(${JSON.stringify(mcpServerFile("everything"))})`;
  folder.write("codemode.config.json5", { mcpServers: { all: { command: process.execPath, args: ["-e", start] } } });
  const client = new Client(info);
  const transport = new StdioClientTransport(parametersOf(folder));
  await client.connect(transport);
  const started = Promise.withResolvers<void>();
  const code = "return await MCP.all.triggerLongRunningOperation({ duration: 600, steps: 2 })";
  const answer = client.callTool({ name: "exec", arguments: { code } }, { onprogress: () => started.resolve() });
  await started.promise;
  const pids = [transport.pid as number, Number(readFileSync(pidFile, "utf8"))];
  const lost = expect(answer).rejects.toThrow();
  await client.close();
  await lost;
  for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow("ESRCH");
});
