import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CodeModeError } from "@code-mode/contract";
import type { Host } from "../compose.ts";
import { type OpenedGateway, openGateway } from "../open-gateway.ts";
import { type ScriptedModel, startScriptedModel } from "../provider/start-scripted-model.ts";
import { createMemoryTranscriptStore } from "../store/memory-transcript-store.ts";
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
    const token = randomBytes(24).toString("base64url");
    await using gateway = await openGateway({ config, token, store: createMemoryTranscriptStore() });
    await waitForServers(gateway.host, signal);
    return await sendTurn({ gateway, model, token, signal });
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
  readonly gateway: OpenedGateway;
  readonly model: ScriptedModel;
  readonly token: string;
  readonly signal: AbortSignal;
};

async function sendTurn({ gateway, model, token, signal }: DemoParts): Promise<DemoReport> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json", accept: "application/json" };
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
    tokens: compareTokens(requests[0] ?? [], gateway.host.tools.of({ agentId: "main" }).tools),
    durationMs,
  };
}

function nameOf(tool: unknown): string {
  return (tool as { function?: { name?: string } }).function?.name ?? "?";
}
