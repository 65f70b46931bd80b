import { readFileSync } from "node:fs";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
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

/** Answers a question to the user. */
type Elicit = (message: string) => "accept" | "decline";

async function connectNew(
  folder: CliFolder,
  { mode = "legacy", elicit }: { mode?: "legacy" | "auto"; elicit?: Elicit } = {},
): Promise<AnyClient> {
  const capabilities = elicit === undefined ? {} : { elicitation: {} };
  const client = new Client(info, { versionNegotiation: { mode }, capabilities });
  if (elicit !== undefined)
    client.setRequestHandler("elicitation/create", ({ params }) => ({ action: elicit((params as Question).message) }));
  await client.connect(new StdioClientTransport(parametersOf(folder)));
  return {
    listNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, input) => (await client.callTool({ name, arguments: input })) as unknown as Answer,
    [Symbol.asyncDispose]: () => client.close(),
  };
}

type Question = { readonly message: string };

async function connectOld(folder: CliFolder, { elicit }: { elicit?: Elicit } = {}): Promise<AnyClient> {
  const capabilities = elicit === undefined ? {} : { elicitation: {} };
  const client = new OldClient(info, { capabilities });
  if (elicit !== undefined)
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => ({ action: elicit((params as Question).message) }));
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

/** Resolves once programs can call the tools of a server, which may take long to start on a busy machine. */
async function serverReady(client: AnyClient, name: string): Promise<void> {
  const code = `return (await API.list("mcp")).some(({ server, tools }) => server === ${JSON.stringify(name)} && tools > 0)`;
  while ((await client.call("exec", { code })).structuredContent.value !== true);
}

it("a code mode behind a code mode works: its exec and wait are tools of a server like any other", async () => {
  using folder = new CliFolder();
  folder.write("inner/a.txt", "from the inner workspace");
  folder.write("inner/codemode.config.json5", {});
  folder.write("codemode.config.json5", {
    mcpServers: { inner: { command: process.execPath, args: [codemodeBinary, "mcp"], cwd: `${folder.path}/inner` } },
  });
  await using client = await connectNew(folder);
  await serverReady(client, "inner");
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

it("CLI-3 requests are answered though their pipe is closed right after them", async () => {
  using folder = configured();
  const initialize = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: info };
  const code = 'return (await tools.read({ path: "a.txt" })).content';
  const requests = [
    { id: 1, method: "initialize", params: initialize },
    { method: "notifications/initialized" },
    { id: 2, method: "tools/list" },
    { id: 3, method: "tools/call", params: { name: "exec", arguments: { code } } },
  ];
  const input = requests.map((request) => JSON.stringify({ jsonrpc: "2.0", ...request })).join("\n");
  const { code: exitCode, stdout } = await folder.run(["mcp"], `${input}\n`);
  const answers = new Map(
    stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { id: number; result: Record<string, unknown> })
      .map(({ id, result }) => [id, result]),
  );
  expect([...answers.keys()].sort()).toEqual([1, 2, 3]);
  expect(answers.get(3)).toMatchObject({ structuredContent: { status: "completed", value: "hello" } });
  expect(exitCode).toBe(0);
});

const mail = `const execute = ({ to }) => "sent to " + to;
export default { id: "mail", tools: [{ name: "send", description: "Sends.", parameters: {}, approval: "always", execute }] };`;
const send = 'return await tools.send({ to: "ada" }).catch(({ code, message }) => `${code}: ${message}`)';

function withMail(more: object = {}): CliFolder {
  const folder = new CliFolder();
  folder.write("mail.mjs", mail);
  folder.write("codemode.config.json5", { plugins: ["./mail.mjs"], ...more });
  return folder;
}

/** Runs a program to its end. */
async function runToEnd(client: AnyClient, code: string): Promise<Record<string, unknown>> {
  let result = (await client.call("exec", { code })).structuredContent;
  while (result.status === "waiting") result = (await client.call("wait", { runId: result.runId })).structuredContent;
  return result;
}

type ConnectAsked = (folder: CliFolder, options: { elicit: Elicit }) => Promise<AnyClient>;
const asking: readonly (readonly [string, ConnectAsked])[] = [
  ["v1", connectOld],
  ["v2 of 2025", connectNew],
  ["v2 of 2026", (folder, options) => connectNew(folder, { mode: "auto", ...options })],
];

it.each(asking)("MCPS-4 over stdio the user of a %s client is asked about a call", async (_version, connect) => {
  using folder = withMail();
  const questions: string[] = [];
  const elicit: Elicit = (message) => {
    questions.push(message);
    return questions.length === 1 ? "accept" : "decline";
  };
  await using client = await connect(folder, { elicit });
  expect(await runToEnd(client, send)).toMatchObject({ value: "sent to ada" });
  expect(await runToEnd(client, send)).toMatchObject({ value: expect.stringMatching(/^approval_denied: .*declined/) });
  expect(questions).toEqual(Array(2).fill(expect.stringContaining("openclaw:mail:send")));
});

it("MCPS-4 where the client cannot ask, the cell parks and the command line decides", async () => {
  using folder = withMail();
  await using client = await connectNew(folder);
  const parked = (await client.call("exec", { code: send })).structuredContent;
  const [pending] = parked.pendingToolCalls as { approvalId: string; message: string }[];
  expect(pending?.message).toContain(`codemode approvals approve ${pending?.approvalId}`);
  const decided = await folder.run(["approvals", "approve", pending?.approvalId ?? ""]);
  expect(decided).toMatchObject({ code: 0, stdout: expect.stringContaining("approved: openclaw:mail:send") });
  const done = await client.call("wait", { runId: parked.runId });
  expect(done.structuredContent).toMatchObject({ status: "completed", value: "sent to ada" });
});

it("MCPS-4 a question from a code mode behind a code mode reaches the user of the outer client", async () => {
  using folder = new CliFolder();
  folder.write("inner/mail.mjs", mail);
  folder.write("inner/codemode.config.json5", { plugins: ["./mail.mjs"] });
  folder.write("codemode.config.json5", {
    mcpServers: { inner: { command: process.execPath, args: [codemodeBinary, "mcp"], cwd: `${folder.path}/inner` } },
  });
  const questions: string[] = [];
  const elicit: Elicit = (message) => {
    questions.push(message);
    return "accept";
  };
  await using client = await connectNew(folder, { elicit });
  await serverReady(client, "inner");
  const code = `let { data } = await MCP.inner.exec({ code: ${JSON.stringify(send)} });
    while (data.status === "waiting") ({ data } = await MCP.inner.wait({ runId: data.runId }));
    return data.value;`;
  expect(await runToEnd(client, code)).toMatchObject({ status: "completed", value: "sent to ada" });
  expect(questions).toEqual([expect.stringContaining("openclaw:mail:send")]);
});

it("MCPS-2 two clients know nothing of each other: results, runs and their ends", async () => {
  using folder = configured();
  await using first = await connectNew(folder);
  await using second = await connectOld(folder);
  const kept = await first.call("exec", { code: "return await results.save([1, 2, 3])" });
  const load = `return await results.load(${JSON.stringify(kept.structuredContent.value)}).catch(({ code }) => code)`;
  const parked = (await first.call("exec", { code: "return await tools.slow({})" })).structuredContent;
  expect((await second.call("exec", { code: load })).structuredContent.value).not.toEqual([1, 2, 3]);
  const foreign = (await second.call("wait", { runId: parked.runId })).structuredContent;
  expect(foreign).toMatchObject({ status: "failed", error: "code mode run is unavailable or expired." });
  expect((await first.call("wait", { runId: parked.runId })).structuredContent).toMatchObject({ value: "done" });
});
