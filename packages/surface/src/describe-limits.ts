import type { ResolvedCodeModeConfig } from "@code-mode/contract";

/** The effective languages and limits in one line (SUR-5). `callBudgetMs` narrows the time of one call (MCPS-3). */
export function describeLimits(config: ResolvedCodeModeConfig, callBudgetMs: number = config.timeoutMs): string {
  const languages = config.languages.length === 0 ? "none, every program is refused" : config.languages.join(", ");
  const limits = [
    `${durationText(Math.min(config.timeoutMs, callBudgetMs))} per exec or wait call`,
    `${sizeText(config.memoryLimitBytes)} memory`,
    `${sizeText(config.maxOutputBytes)} output and value${config.outputOverflow === "truncate" ? " (then cut)" : ""}`,
    `${sizeText(config.maxSourceBytes)} source`,
    `${config.maxPendingToolCalls} parallel calls`,
    `a waiting cell lives ${durationText(config.snapshotTtlSeconds * 1000)}`,
  ];
  return `Languages: ${languages}. Limits: ${limits.join(", ")}.`;
}

function durationText(ms: number): string {
  if (ms >= 60_000 && ms % 60_000 === 0) return `${ms / 60_000} min`;
  return `${Number((ms / 1000).toFixed(3))} s`;
}

function sizeText(bytes: number): string {
  const [unit, size] = bytes >= 1024 * 1024 ? ["MiB", 1024 * 1024] : ["KiB", 1024];
  return `${Number((bytes / size).toFixed(1))} ${unit}`;
}
