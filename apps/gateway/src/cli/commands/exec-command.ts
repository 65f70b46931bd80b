import { randomUUID } from "node:crypto";
import {
  type CodeModeResult,
  type ResolvedCodeModeConfig,
  type RunScope,
  resolveCodeModeConfig,
} from "@code-mode/contract";
import { createHost, enabledCodeMode, type Host } from "../../compose.ts";
import type { GatewayConfig } from "../../config/load-config.ts";
import { createCellProgress } from "../cell-progress.ts";
import { configOf } from "../common-options.ts";
import { exitCodes } from "../exit-codes.ts";
import { warnAboutServers } from "../mcp-warnings.ts";
import { printResult } from "../print-result.ts";
import { readProgram } from "../read-program.ts";
import { printData, printNote, reserveStdout } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import type { ExecOptions } from "./add-exec.ts";

/** A catalog is fixed for a whole cell, so servers get this long to be part of it. */
const serversReadyMs = 15_000;

/** Runs one program and prints its result (CLI-4). */
export async function execCommand(
  file: string | undefined,
  options: ExecOptions,
  signal: AbortSignal,
): Promise<number> {
  reserveStdout();
  const program = await readProgram(file, options.eval);
  const config = configOf(options);
  await using host = await createHost({
    config,
    codeMode: codeModeOf(config, options.timeoutMs),
    observer: createCellProgress(),
    log: (source, message) => printNote(`[${source}] ${message}`),
  });
  await host.tools.settled(serversReadyMs, signal);
  warnAboutServers(host.tools.mcpStates());
  const language = options.language ?? program.language;
  const input = { code: program.code, ...(language === undefined ? {} : { language }) };
  const result = await runCell(host, input, { wait: options.wait === true, signal });
  if (options.json) await printData(JSON.stringify(result));
  else await printResult(result);
  if (result.status === "waiting") printNote("The cell ends with this process. Use --wait to see how it goes on.");
  return result.status === "failed" ? exitCodes.workFailed : exitCodes.success;
}

async function runCell(
  host: Host,
  input: object,
  { wait, signal }: { wait: boolean; signal: AbortSignal },
): Promise<CodeModeResult> {
  const sessionId = randomUUID();
  const scope: RunScope = { agentId: "main", sessionId, sessionKey: `cli:${sessionId}`, agentRunId: randomUUID() };
  const codeMode = enabledCodeMode(host);
  let result = await codeMode.exec(input, { scope, signal, toolCallId: "exec-1" });
  for (let count = 1; wait && result.status === "waiting" && !signal.aborted; count++) {
    const earlier = result.output ?? [];
    const next = await codeMode.wait({ runId: result.runId }, { scope, signal, toolCallId: `wait-${count}` });
    // each result holds only what came since the last; the one that is printed must not lose the rest
    const output = [...earlier, ...(next.output ?? [])];
    result = output.length === 0 ? next : { ...next, output };
  }
  return result;
}

/** Whoever calls the command wants code mode, whatever the gateway is configured to show its models. */
function codeModeOf(config: GatewayConfig, timeoutMs: string | undefined): ResolvedCodeModeConfig {
  const ok = timeoutMs === undefined || (/^\d{1,9}$/.test(timeoutMs) && inRange(Number(timeoutMs)));
  if (!ok)
    throw new UsageError(
      `--timeout-ms: found ${JSON.stringify(timeoutMs)}, expected a number of milliseconds from 100 to 60000.`,
    );
  const override = { enabled: true, ...(timeoutMs === undefined ? {} : { timeoutMs: Number(timeoutMs) }) };
  return resolveCodeModeConfig(config.tools.codeMode, { override, overridePath: "--timeout-ms" });
}

function inRange(ms: number): boolean {
  return ms >= 100 && ms <= 60_000;
}
