import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { type CodeModeLanguage, codeModeLanguages, type RunScope } from "@code-mode/contract";
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
import { Repl } from "../repl/repl.ts";
import { ReplHistory } from "../repl/repl-history.ts";
import { printLog, printNote, reserveStdout } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import type { ReplCommandOptions } from "./add-repl.ts";

const serversReadyMs = 15_000;

/** Runs programs interactively (CLI-5). From a pipe the exit code says whether all of them went well. */
export async function replCommand(options: ReplCommandOptions, signal: AbortSignal): Promise<number> {
  const language = languageOf(options.language);
  reserveStdout();
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
  const terminal = process.stdin.isTTY === true && process.stderr.isTTY === true;
  if (terminal) printNote("codemode repl: .help shows the commands, .exit leaves.");
  const sessionId = randomUUID();
  const scope: RunScope = { agentId: "main", sessionId, sessionKey: `cli:${sessionId}`, agentRunId: randomUUID() };
  const history = terminal ? new ReplHistory(join(config.gateway.dataDir, "repl-history"), printNote) : undefined;
  const repl = new Repl({ host, scope, language, terminal, history, input: process.stdin, output: process.stderr });
  const failures = await repl.run(signal);
  await enabledCodeMode(host).endRun(scope);
  return !terminal && failures > 0 ? exitCodes.workFailed : exitCodes.success;
}

function languageOf(text = "javascript"): CodeModeLanguage {
  const found = codeModeLanguages.find((language) => language === text);
  if (found !== undefined) return found;
  throw new UsageError(`--language: found ${JSON.stringify(text)}, expected ${codeModeLanguages.join(" or ")}.`);
}
