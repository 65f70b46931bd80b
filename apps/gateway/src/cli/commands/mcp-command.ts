import { Console } from "node:console";
import { resolveCodeModeConfig } from "@code-mode/contract";
import { serveMcpStdio } from "@code-mode/mcp";
import { createHost } from "../../compose.ts";
import type { CommonOptions } from "../common-options.ts";
import { configOf } from "../common-options.ts";
import { exitCodes } from "../exit-codes.ts";
import { printNote } from "../terminal.ts";

/** A client asks for its tools right after it connected; servers get this long to be named in the description. */
const serversReadyMs = 3_000;

/** Many clients give up on a call after 45 to 60 s; a waiting result must reach them before (MCPS-3). */
const longestCallMs = 40_000;

/** Serves one MCP client until it goes away (CLI-3, MCPS-1). */
export async function mcpCommand(options: CommonOptions, signal: AbortSignal): Promise<number> {
  // stdout belongs to the protocol from the start: plugins may print while they are set up
  globalThis.console = new Console(process.stderr, process.stderr);
  const config = configOf(options);
  const enabled = resolveCodeModeConfig(config.tools.codeMode, { override: { enabled: true } });
  const mcpBudgetMs = Math.min(enabled.timeoutMs, longestCallMs);
  const codeMode = { ...enabled, timeoutMs: mcpBudgetMs };
  await using host = await createHost({
    config,
    codeMode,
    mcpBudgetMs,
    log: (source, message) => printNote(`[${source}] ${message}`),
  });
  await using serving = serveMcpStdio({
    async modelTools(scope) {
      await host.tools.settled(serversReadyMs, signal);
      const { tools } = await host.activate(scope);
      // direct-only tools show here only when an operator names them (MCPS-1), which cannot be configured yet
      return tools.filter(({ kind }) => kind === "control");
    },
    async onClose(scope) {
      await host.codeMode?.endRun(scope);
      await host.codeMode?.endSession(scope.sessionId);
    },
    onError: (error) => printNote(`warning: ${error.message}`),
  });
  const close = (): void => void serving.close();
  signal.addEventListener("abort", close, { once: true });
  await serving.closed;
  return exitCodes.success;
}
