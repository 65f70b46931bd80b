import { spawn } from "node:child_process";
import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, it } from "vitest";
import { readEndpoints, registerEndpoint } from "../../src/http/endpoint-registry.ts";
import { TemporaryFolder } from "../temporary-folder.ts";

const cli = fileURLToPath(new URL("../../src/cli.ts", import.meta.url));
const command = ["--conditions=@code-mode/source", cli];

const plugin = `export default { id: "p", tools: [
  { name: "send", description: "", parameters: {}, approval: "always", execute: ({ to }) => "sent to " + to },
] };`;

/** A folder with a configuration whose tool needs an approval, and a scripted model that calls it. */
function configured(): TemporaryFolder {
  const folder = new TemporaryFolder();
  const call = (name: string, input: object) => ({ toolCalls: [{ name, input }] });
  const program = { code: 'return await tools.send({ to: "ada" }).catch(({ message }) => message)' };
  const steps = [
    call("exec", program),
    call("wait", { runId: "${results[0].runId}" }),
    { text: "${results[1].value}" },
  ];
  folder.write("p.mjs", plugin);
  folder.write("script.json5", JSON.stringify({ steps }));
  folder.write(
    "codemode.config.json5",
    JSON.stringify({
      gateway: { port: 0 },
      plugins: ["./p.mjs"],
      models: { default: "s/x", providers: { s: { api: "scripted", script: "./script.json5" } } },
      tools: { codeMode: { enabled: true } },
    }),
  );
  return folder;
}

type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

function environment({ path }: TemporaryFolder): Record<string, string> {
  return { PATH: process.env.PATH ?? "", HOME: path, NO_COLOR: "1" };
}

function run(folder: TemporaryFolder, ...args: string[]): Promise<Ended> {
  const child = spawn(process.execPath, [...command, ...args], { cwd: folder.path, env: environment(folder) });
  const texts = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (text: string) => {
      texts[name] += text;
    });
  return new Promise((resolve, reject) => {
    child.on("error", reject).on("close", (code) => resolve({ code, ...texts }));
  });
}

type Served = AsyncDisposable & { readonly url: string; readonly token: string };

/** `codemode gateway` as a process; ends with a signal. */
async function startGateway(folder: TemporaryFolder): Promise<Served> {
  const args = [...command, "gateway", "--json"];
  const child = spawn(process.execPath, args, {
    cwd: folder.path,
    env: environment(folder),
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = new Promise<void>((resolve) => child.on("close", () => resolve()));
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding("utf8").once("data", resolve);
    child.on("close", () => reject(new Error("the gateway ended")));
  });
  const { url } = JSON.parse(line) as { url: string };
  const endpoint = readEndpoints(join(folder.path, ".codemode")).find((known) => known.url === url);
  return {
    url,
    token: endpoint?.token ?? "",
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** Begins a turn and resolves when it asks for an approval; `rest` is its stream up to the end. */
async function turnUntilApproval({ url, token }: Served, session: string): Promise<{ rest: Promise<string> }> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json", accept: "text/event-stream" };
  const reply = await fetch(`${url}/api/sessions/${session}/turns`, {
    method: "POST",
    headers,
    body: '{"message":"go"}',
  });
  const reader = (reply.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const readUntil = async (isEnough: () => boolean): Promise<string> => {
    while (!isEnough()) {
      const { done, value = "" } = await reader.read();
      text += value;
      if (done) break;
    }
    return text;
  };
  await readUntil(() => text.includes("approval_requested"));
  return { rest: readUntil(() => false) };
}

type Row = { readonly id: string; readonly toolId: string; readonly input: unknown; readonly sessionId: string };

async function listed(folder: TemporaryFolder, ...args: string[]): Promise<readonly Row[]> {
  const { code, stdout, stderr } = await run(folder, "approvals", "list", "--json", ...args);
  expect([code, stderr.replace(/^no approval.*\n/, "")]).toEqual([0, ""]);
  return JSON.parse(stdout) as Row[];
}

it("CLI-9 approvals of a running gateway are listed, approved and denied; the turns go on with that", async () => {
  using folder = configured();
  await using gateway = await startGateway(folder);
  const first = await turnUntilApproval(gateway, "s1");
  const [row] = await listed(folder);
  expect(row).toMatchObject({ toolId: "openclaw:p:send", input: { to: "ada" }, sessionId: "s1" });
  const approved = await run(folder, "approvals", "approve", row?.id ?? "");
  expect([approved.code, approved.stdout]).toEqual([0, `approved: openclaw:p:send (${row?.id})\n`]);
  expect(await first.rest).toContain("sent to ada");
  const second = await turnUntilApproval(gateway, "s2");
  const shown = await run(folder, "approvals", "--url", gateway.url);
  expect(shown.stdout).toMatch(
    /^apr_\w+ {2}pending {2}openclaw:p:send\n.*session s2.*\n {4}\{\n {6}"to": "ada"\n {4}\}\n$/,
  );
  const [open] = await listed(folder, "--session", "s2");
  await run(folder, "approvals", "deny", open?.id ?? "", "--reason", "not her");
  expect(await second.rest).toContain("not her");
  const late = await run(folder, "approvals", "approve", open?.id ?? "");
  expect([late.code, late.stderr]).toEqual([1, expect.stringContaining("is denied already by cli (not her)")]);
  expect((await listed(folder, "--state", "all")).map(({ id }) => id).sort()).toEqual([row?.id, open?.id].sort());
});

it("CLI-9 wrong calls and a gateway that does not run are clear errors", async () => {
  using folder = configured();
  const nothing = await run(folder, "approvals");
  expect([nothing.code, nothing.stderr]).toEqual([
    1,
    expect.stringMatching(/^error: nothing that takes decisions is running .*Start codemode gateway/),
  ]);
  const state = await run(folder, "approvals", "--state", "open");
  expect([state.code, state.stderr]).toEqual([
    2,
    expect.stringContaining('--state: found "open", expected all or one of'),
  ]);
  expect((await run(folder, "approvals", "approve")).code).toBe(2);
  const url = await run(folder, "approvals", "--url", "localhost:1");
  expect([url.code, url.stderr]).toEqual([2, expect.stringContaining("expected an address such as")]);
});

it("MCPS-4 without elicitation the pending call of codemode mcp says how it is decided, and that command decides it", async () => {
  using folder = configured();
  const endpoints = join(folder.path, ".codemode/endpoints");
  const client = new Client({ name: "test", version: "1.0.0" });
  const parameters = {
    command: process.execPath,
    args: [...command, "mcp"],
    cwd: folder.path,
    env: environment(folder),
  };
  await client.connect(new StdioClientTransport({ ...parameters, stderr: "ignore" }));
  type Result = {
    status: string;
    runId: string;
    value: unknown;
    pendingToolCalls: { message: string; approvalId: string }[];
  };
  const call = async (name: string, input: object): Promise<Result> =>
    (await client.callTool({ name, arguments: { ...input } })).structuredContent as Result;
  try {
    expect(existsSync(endpoints)).toBe(false);
    const parked = await call("exec", { code: 'return await tools.send({ to: "bob" })' });
    const { message, approvalId } = parked.pendingToolCalls[0] as Result["pendingToolCalls"][0];
    expect(message).toContain(`codemode approvals approve ${approvalId}`);
    const approved = await run(folder, "approvals", "approve", approvalId);
    expect([approved.code, approved.stderr]).toEqual([0, ""]);
    expect(await call("wait", { runId: parked.runId })).toMatchObject({ status: "completed", value: "sent to bob" });
    const [file] = readdirSync(endpoints);
    expect(statSync(join(endpoints, file ?? "")).mode & 0o777).toBe(0o600);
  } finally {
    await client.close();
  }
  expect(readdirSync(endpoints)).toEqual([]);
});

it("endpoints of dead processes and files that are none are left out", () => {
  using folder = new TemporaryFolder();
  expect(readEndpoints(folder.path)).toEqual([]);
  const registered = registerEndpoint(folder.path, { url: "http://0.0.0.0:1234", token: "t" });
  const own = { url: "http://127.0.0.1:1234", pid: process.pid, token: "t" };
  const write = (name: string, text: string): void => writeFileSync(join(folder.path, "endpoints", name), text);
  write("1.txt", JSON.stringify(own));
  write("2.json", "{");
  // no system gives out an id this large
  write("3.json", JSON.stringify({ ...own, pid: 0x7fff_fff0 }));
  expect(readEndpoints(folder.path)).toEqual([own]);
  registered[Symbol.dispose]();
  expect(readEndpoints(folder.path)).toEqual([]);
});
