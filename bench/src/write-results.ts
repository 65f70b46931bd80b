import { mkdirSync, writeFileSync } from "node:fs";
import type { BenchOptions } from "./bench-options.ts";
import { formatNotes, formatTable } from "./format-table.ts";
import type { BenchRow } from "./harness/bench-context.ts";
import type { Machine } from "./machine.ts";

/** Everything that one run of the benchmarks says. */
export type BenchReport = {
  readonly machine: Machine;
  readonly options: BenchOptions;
  readonly rows: readonly BenchRow[];
};

const published = new URL("../", import.meta.url);
const unpublished = new URL("../.results/", import.meta.url);

/** Writes `RESULTS.md` and `results.json`; a quick or partial run writes beside them, where nothing is published. Returns where. */
export function writeResults(report: BenchReport): string {
  const partial = report.options.quick || report.options.only.length > 0;
  const directory = partial ? unpublished : published;
  mkdirSync(directory, { recursive: true });
  writeFileSync(new URL("RESULTS.md", directory), formatReport(report));
  writeFileSync(new URL("results.json", directory), `${JSON.stringify(report, undefined, 2)}\n`);
  return partial ? "bench/.results/RESULTS.md" : "bench/RESULTS.md";
}

function formatReport({ machine, options, rows }: BenchReport): string {
  const notes = formatNotes(rows);
  return `# Benchmark results

Written by \`pnpm bench\` on ${machine.date}: ${machine.cores} cores (${machine.cpu}), ${machine.memoryGib} GiB,
Node ${machine.node}, load ${machine.loadBefore} before the start, seed ${options.seed}, ${options.rounds} rounds.

${formatTable(rows)}
${notes === "" ? "" : `\n${notes}\n`}
How it is measured: \`run\` 2.1.5 and our ${machine.measures}, each warm and in its own process, in interleaved rounds
(ours, run, ours, run, …). "ours" and "run" are medians of the rounds' medians; the ratio is the median of the
ratios of each pair of rounds. Both get the same program text with fresh numbers in each cell. Ours runs the
whole product path: policy, hooks, schema validation, call recorder and trajectory are on, and a round fails
when hooks, validator and recorder did not see exactly the calls that ran. The output budget is raised for B4
(1 MB is over the default); everything else has defaults. \`run\` has its pool, a shared runner and raised caps.
Rows without a figure for \`run\` compare us with ourselves or with a fixed limit.
`;
}
