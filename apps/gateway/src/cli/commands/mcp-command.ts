import { Console } from "node:console";
import { serveMcpStdio } from "@code-mode/mcp";
import { createHost } from "../../compose.ts";
import type { CommonOptions } from "../common-options.ts";
import { configOf } from "../common-options.ts";
import { exitCodes } from "../exit-codes.ts";
import { printNote, reserveStdout } from "../terminal.ts";

/** Serves one MCP client until it goes away (CLI-3, MCPS-1). */
export async function mcpCommand(options: CommonOptions, signal: AbortSignal): Promise<number> {
  // stdout belongs to the protocol from the start: plugins may print while they are set up
  globalThis.console = new Console(process.stderr, process.stderr);
  const release = reserveStdout();
  const config = configOf(options);
  await using host = await createHost({
    config,
    mcpOnly: true,
    log: (source, message) => printNote(`[${source}] ${message}`),
  });
  // The stdio face takes stdout over by itself.
  release();
  await using serving = serveMcpStdio({
    ...host.mcp.faceOptions(signal),
    onClose: (scope) => host.mcp.endSession(scope),
    onError: (error) => printNote(`warning: ${error.message}`),
  });
  const close = (): void => void serving.close();
  signal.addEventListener("abort", close, { once: true });
  await serving.closed;
  return exitCodes.success;
}
