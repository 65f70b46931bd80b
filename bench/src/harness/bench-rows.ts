import type { BenchRow, BenchTitle, Verdict } from "./bench-context.ts";
import { median, pairRatios } from "./statistics.ts";

/** What a cell shows that has no value. */
export const noValue = "–";

/** A row that compares medians of rounds; the ratio is the median of the ratios of each pair of rounds. */
export function ratioRow(
  title: BenchTitle,
  rounds: { readonly ours: readonly number[]; readonly run: readonly number[] },
  rule: { readonly limit: number; readonly atLeast?: boolean; format(value: number): string },
): BenchRow {
  const ratio = median(pairRatios(rounds.ours, rounds.run));
  const fits = rule.atLeast === true ? ratio >= rule.limit : ratio <= rule.limit;
  return {
    ...title,
    ours: rule.format(median(rounds.ours)),
    run: rule.format(median(rounds.run)),
    ratio: formatRatio(ratio),
    verdict: verdictOf(fits),
    values: { ...rounds, ratio },
  };
}

/** A row that holds one figure of ours against a fixed limit. */
export function limitRow(
  title: BenchTitle,
  figure: { readonly text: string; readonly fits: boolean },
  values: BenchRow["values"],
): BenchRow {
  return { ...title, ours: figure.text, run: noValue, ratio: noValue, verdict: verdictOf(figure.fits), values };
}

/** A row without figures. */
export function emptyRow(title: BenchTitle, verdict: "skipped" | "failed", note: string): BenchRow {
  return { ...title, ours: noValue, run: noValue, ratio: noValue, verdict, note, values: {} };
}

/** `ok` or `over`. */
export function verdictOf(fits: boolean): Verdict {
  return fits ? "ok" : "over";
}

/** Milliseconds as shown. */
export function formatMs(ms: number): string {
  return `${ms >= 100 ? ms.toFixed(0) : ms >= 10 ? ms.toFixed(1) : ms.toFixed(2)} ms`;
}

/** Cells per second as shown. */
export function formatRate(perSecond: number): string {
  return `${perSecond.toFixed(0)}/s`;
}

/** A ratio as shown. */
export function formatRatio(ratio: number): string {
  return ratio >= 10 ? `${ratio.toFixed(1)} ×` : `${ratio.toFixed(3)} ×`;
}

/** Mebibytes as shown. */
export function formatMebibytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}
