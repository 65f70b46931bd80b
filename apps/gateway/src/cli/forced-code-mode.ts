import { type ResolvedCodeModeConfig, resolveCodeModeConfig } from "@code-mode/contract";
import type { GatewayConfig } from "../config/load-config.ts";
import { UsageError } from "./usage-error.ts";

/**
 * Code mode for a command that is about programs: on, whatever the gateway is configured to show its models.
 * @throws UsageError for a time that cannot be
 */
export function forcedCodeMode(config: GatewayConfig, timeoutMs: string | undefined): ResolvedCodeModeConfig {
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
