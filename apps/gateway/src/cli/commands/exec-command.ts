import { randomUUID } from "node:crypto";
import type { RunScope } from "@code-mode/contract";
import { createHost, enabledCodeMode } from "../../compose.ts";
import { secretsOf } from "../../config/secrets-of.ts";
import { allObservers } from "../../debug/all-observers.ts";
import { debugObserver } from "../../debug/debug-observer.ts";
import { openDebug } from "../../debug/open-debug.ts";
import { createCellProgress } from "../cell-progress.ts";
import { configOf } from "../common-options.ts";
import { exitCodes } from "../exit-codes.ts";
import { forcedCodeMode } from "../forced-code-mode.ts";
import { warnAboutServers } from "../mcp-warnings.ts";
import { printResult } from "../print-result.ts";
import { readProgram } from "../read-program.ts";
import { runCell } from "../run-cell.ts";
import { printData, printLog, printNote, reserveStdout } from "../terminal.ts";
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
  const debug = openDebug({ env: process.env, secrets: secretsOf(config), write: printNote });
  await using host = await createHost({
    config,
    codeMode: forcedCodeMode(config, options.timeoutMs),
    observer: allObservers(createCellProgress(), debug && debugObserver(debug.log)),
    log: printLog,
  });
  await host.tools.settled(serversReadyMs, signal);
  warnAboutServers(host.tools.mcpStates());
  const language = options.language ?? program.language;
  const input = { code: program.code, ...(language === undefined ? {} : { language }) };
  const scope = freshScope();
  const result = await runCell(enabledCodeMode(host), input, { scope, wait: options.wait === true, signal });
  if (options.json) await printData(JSON.stringify(result));
  else await printResult(result);
  if (result.status === "waiting") printNote("The cell ends with this process. Use --wait to see how it goes on.");
  return result.status === "failed" ? exitCodes.workFailed : exitCodes.success;
}

function freshScope(): RunScope {
  const sessionId = randomUUID();
  return { agentId: "main", sessionId, sessionKey: `cli:${sessionId}`, agentRunId: randomUUID() };
}
