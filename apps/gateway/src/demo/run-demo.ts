import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CodeModeError } from "@code-mode/contract";
import { createHost, type Host } from "../compose.ts";
import { startGateway } from "../http/start-gateway.ts";
import { createMcpHttp } from "../mcp-face/mcp-http.ts";
import { Models } from "../provider/models.ts";
import { type ScriptedModel, startScriptedModel } from "../provider/start-scripted-model.ts";
import { SessionStore } from "../turns/session-store.ts";
import { TurnRunner } from "../turns/turn-runner.ts";
import { compareTokens, type TokenComparison } from "./count-tokens.ts";
import { demoConfig } from "./demo-config.ts";
import { writeDemoFiles } from "./demo-files.ts";
import { demoQuestion } from "./demo-program.ts";
import { demoScript } from "./demo-script.ts";
import { type DemoTrace, parseTrace } from "./parse-trace.ts";

/** Everything the demo saw. */
export type DemoReport = DemoTrace & {
  readonly visibleTools: readonly (readonly string[])[];
  readonly answer: string;
  readonly tokens: TokenComparison;
  readonly durationMs: number;
};

const serversReadyMs = 60_000;

/** Runs one turn over HTTP on a temporary folder; leaves nothing behind (CLI-1). */
export async function runDemo(signal: AbortSignal): Promise<DemoReport> {
  const folder = await mkdtemp(join(tmpdir(), "codemode-demo-"));
  try {
    const workspace = join(folder, "workspace");
    await mkdir(workspace);
    await writeDemoFiles(workspace);
    await using model = await startScriptedModel(demoScript);
    const config = demoConfig({ folder, workspace, modelUrl: model.baseUrl });
    const sessions = new SessionStore();
    await using host = await createHost({ config, observer: sessions.observer });
    await waitForServers(host, signal);
    await using models = new Models(config);
    return await sendTurn({ host, models, model, sessions, signal });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function waitForServers(host: Host, signal: AbortSignal): Promise<void> {
  await host.tools.settled(serversReadyMs, signal);
  const broken = host.tools.mcpStates().filter(({ state }) => state !== "ready");
  if (broken.length === 0) return;
  const why = broken.map(({ name, state, note }) => `${name} is ${state}${note === undefined ? "" : ` (${note})`}`);
  throw new CodeModeError(
    "runtime_unavailable",
    `the demo's MCP servers did not start: ${why.join("; ")}. Install the dependencies again.`,
  );
}

type DemoParts = {
  readonly host: Host;
  readonly models: Models;
  readonly model: ScriptedModel;
  readonly sessions: SessionStore;
  readonly signal: AbortSignal;
};

async function sendTurn({ host, models, model, sessions, signal }: DemoParts): Promise<DemoReport> {
  const token = randomBytes(24).toString("base64url");
  const { host: address, port } = host.config.gateway;
  await using gateway = await startGateway({
    host: address,
    port,
    token,
    turns: new TurnRunner({ host, models, sessions }),
    mcp: createMcpHttp(host.mcp),
  });
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const startedAt = performance.now();
  const body = JSON.stringify({ message: demoQuestion });
  const reply = await fetch(`${gateway.url}/api/sessions/demo/turns`, { method: "POST", headers, body, signal });
  const answer = (await reply.json()) as { text?: string; error?: { code: string; message: string } };
  const durationMs = Math.round(performance.now() - startedAt);
  const trajectory = await fetch(`${gateway.url}/api/sessions/demo/trajectory`, { headers, signal });
  if (answer.error !== undefined)
    throw new CodeModeError("internal_error", `the turn failed (${answer.error.code}): ${answer.error.message}`);
  const requests = model.requests.map(({ tools = [] }) => tools);
  return {
    ...parseTrace(await trajectory.text()),
    visibleTools: requests.map((tools) => tools.map(nameOf)),
    answer: answer.text ?? "",
    tokens: compareTokens(requests[0] ?? [], host.tools.of({ agentId: "main" }).tools),
    durationMs,
  };
}

function nameOf(tool: unknown): string {
  return (tool as { function?: { name?: string } }).function?.name ?? "?";
}
