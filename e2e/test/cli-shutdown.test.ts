import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, it } from "vitest";
import { CliFolder, mcpServerFile, type Running } from "./cli-process.ts";

/** A tool that never ends and takes no notice of its signal; says on stderr that it was reached. */
const hangPlugin = `let count = 0;
export default { id: "hang", tools: [{ name: "hang", description: "", parameters: {}, execute: () => { console.error("reached " + ++count + "."); return new Promise(() => {}); } }] };`;

function configured(): CliFolder {
  const folder = new CliFolder();
  folder.write("hang.mjs", hangPlugin);
  folder.write("script.json5", {
    steps: [{ toolCalls: [{ name: "exec", input: { code: "return await tools.hang({})" } }] }, { text: "never" }],
  });
  folder.write("codemode.config.json5", {
    gateway: { port: 0 },
    plugins: ["./hang.mjs"],
    models: { default: "s/x", providers: { s: { api: "scripted", script: "./script.json5" } } },
    mcpServers: {
      files: { command: process.execPath, args: [mcpServerFile("filesystem"), folder.path] },
      everything: { command: process.execPath, args: [mcpServerFile("everything"), "stdio"] },
    },
    tools: { codeMode: { enabled: true, timeoutMs: 60_000 } },
  });
  return folder;
}

type Served = { readonly running: Running; readonly url: string; readonly headers: Record<string, string> };

async function serve(folder: CliFolder): Promise<Served> {
  const running = folder.start(["gateway", "--json"]);
  await running.stderrHas("MCP server files: ready");
  await running.stderrHas("MCP server everything: ready");
  const { url, token } = JSON.parse(running.stdout().split("\n")[0] ?? "") as { url: string; token: string };
  const authorization = `Bearer ${readFileSync(token, "utf8").trim()}`;
  return { running, url, headers: { authorization, accept: "application/json", "content-type": "application/json" } };
}

function startTurn({ url, headers }: Served, session: string): Promise<unknown> {
  const body = JSON.stringify({ message: "go" });
  return fetch(`${url}/api/sessions/${session}/turns`, { method: "POST", headers, body }).then((reply) => reply.json());
}

/** Processes below a process, whatever their depth. */
function descendants(pid: number): readonly number[] {
  const rows = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" })
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number));
  const children = rows.filter(([, parent]) => parent === pid).map(([child]) => child as number);
  return children.flatMap((child) => [child, ...descendants(child)]);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

it("GW-8 SIGTERM with 20 running turns and 64 parked cells ends with 0 in its time and leaves no process behind", async () => {
  using folder = configured();
  const served = await serve(folder);
  const { url, headers, running } = served;
  const client = new Client({ name: "e2e", version: "1.0.0" }, { versionNegotiation: { mode: "legacy" } });
  const requestInit = { headers: { authorization: headers.authorization ?? "" } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
  for (let count = 0; count < 64; count++)
    await client.callTool({ name: "exec", arguments: { code: "await yield_control(); return 1" } });
  const turns = Array.from({ length: 20 }, (_, index) => startTurn(served, `s${index}`));
  await running.stderrHas("reached 20.");
  const { suspended } = (await (await fetch(`${url}/api/suspended`, { headers })).json()) as { suspended: object[] };
  expect(suspended.length).toBe(64);
  const children = descendants(running.pid);
  expect(children.length).toBeGreaterThanOrEqual(2);
  running.kill("SIGTERM");
  // a process that is not done after 14.5 s is ended with another code
  expect((await running.ended).code).toBe(0);
  expect(children.filter(isAlive)).toEqual([]);
  const answers = (await Promise.all(turns)) as { error?: { code: string } }[];
  expect(answers.map(({ error }) => error?.code)).toEqual(Array(20).fill("aborted"));
  await client.close();
});

it("GW-8 a second signal ends the process at once", async () => {
  using folder = configured();
  const served = await serve(folder);
  const turn = startTurn(served, "one").catch(() => "cut off");
  await served.running.stderrHas("reached 1.");
  served.running.kill("SIGTERM");
  await served.running.stderrHas("stopping:");
  served.running.kill("SIGTERM");
  expect((await served.running.ended).code).toBe(143);
  expect(await turn).toBe("cut off");
});

it("GW-8 after the signal nothing new is taken on, and what was recorded is there at the next start", async () => {
  using folder = configured();
  const served = await serve(folder);
  const turn = startTurn(served, "one");
  await served.running.stderrHas("reached 1.");
  served.running.kill("SIGTERM");
  await served.running.stderrHas("stopping:");
  await expect(fetch(`${served.url}/healthz`)).rejects.toThrow();
  expect((await served.running.ended).code).toBe(0);
  await turn;
  const again = await serve(folder);
  const reply = await fetch(`${again.url}/api/sessions/one/trajectory`, { headers: again.headers });
  const types = (await reply.text())
    .trimEnd()
    .split("\n")
    .map((line) => (JSON.parse(line) as { type: string }).type);
  expect([types[0], types.at(-1)]).toEqual(["turn_started", "turn_ended"]);
  again.running.kill("SIGTERM");
  expect((await again.running.ended).code).toBe(0);
});
