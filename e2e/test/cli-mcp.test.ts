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
