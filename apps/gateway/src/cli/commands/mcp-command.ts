import { Console } from "node:console";
import { messageOf } from "@code-mode/contract";
import { serveMcpStdio } from "@code-mode/mcp";
import { createHost } from "../../compose.ts";
import { secretsOf } from "../../config/secrets-of.ts";
import { debugObserver } from "../../debug/debug-observer.ts";
import { openDebug } from "../../debug/open-debug.ts";
import { ApprovalsEndpoint } from "../../http/approvals-endpoint.ts";
import type { CommonOptions } from "../common-options.ts";
import { configOf } from "../common-options.ts";
import { exitCodes } from "../exit-codes.ts";
import { printLog, printNote, reserveStdout } from "../terminal.ts";

/** Serves one MCP client until it goes away (CLI-3, MCPS-1). */
export async function mcpCommand(options: CommonOptions, signal: AbortSignal): Promise<number> {
  // stdout belongs to the protocol from the start: plugins may print while they are set up
  globalThis.console = new Console(process.stderr, process.stderr);
  const release = reserveStdout();
  const config = configOf(options);
  const debug = openDebug({ env: process.env, secrets: secretsOf(config), write: printNote });
  await using host = await createHost({
    config,
    mcpOnly: true,
    ...(debug === undefined ? {} : { observer: debugObserver(debug.log) }),
    unattended: "park",
    log: printLog,
  });
  await using _endpoint = new ApprovalsEndpoint({
    approvals: host.approvals,
    dataDir: config.gateway.dataDir,
    onError: (error) => printNote(`warning: approvals can only be decided in the client: ${messageOf(error)}`),
  });
  // The stdio face takes stdout over by itself.
  release();
  await using serving = serveMcpStdio({
    ...host.mcp.faceOptions(signal),
    onServer: (server, scope) => host.mcp.attendStdio(server, scope),
    onClose: (scope) => host.mcp.endSession(scope),
    onError: (error) => printNote(`warning: ${error.message}`),
  });
  const close = (): void => void serving.close();
  signal.addEventListener("abort", close, { once: true });
  await serving.closed;
  return exitCodes.success;
}
