import type { BenchOptions } from "./bench-options.ts";
import type { BenchContext, Benchmark, BenchRow } from "./harness/bench-context.ts";
import { emptyRow } from "./harness/bench-rows.ts";

/** Share of the iterations that a quick run does. */
const quickShare = 0.1;

/** Where progress is told. */
export type Progress = { onStart(ids: string): void };

/**
 * Runs benchmarks one after the other; one that fails becomes a `failed` row and the rest goes on.
 * @throws Error before anything runs when `only` names an id that does not exist
 */
export async function runBenchmarks(
  benchmarks: readonly Benchmark[],
  options: BenchOptions,
  { onStart }: Progress,
): Promise<BenchRow[]> {
  assertKnown(options.only, benchmarks);
  const context = contextOf(options);
  const rows: BenchRow[] = [];
  for (const benchmark of benchmarks.filter((candidate) => isWanted(candidate, options.only))) {
    onStart(benchmark.titles.map(({ id }) => id).join(", "));
    rows.push(...(await measureOne(benchmark, context)));
  }
  return rows;
}

async function measureOne(benchmark: Benchmark, context: BenchContext): Promise<readonly BenchRow[]> {
  try {
    return await benchmark.measure(context);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return benchmark.titles.map((title) => emptyRow(title, "failed", reason));
  }
}

function assertKnown(only: readonly string[], benchmarks: readonly Benchmark[]): void {
  const known = benchmarks.flatMap(({ titles }) => titles.map(({ id }) => id));
  const unknown = only.filter((id) => !known.includes(id));
  if (unknown.length > 0) throw new Error(`--only: unknown ${unknown.join(", ")}. Known: ${known.join(", ")}.`);
}

function isWanted({ titles }: Benchmark, only: readonly string[]): boolean {
  return only.length === 0 || titles.some(({ id }) => only.includes(id));
}

function contextOf({ quick, rounds, seed, soakCells }: BenchOptions): BenchContext {
  return {
    rounds,
    seed,
    soakCells,
    scaled: (iterations) => Math.max(1, Math.ceil(iterations * (quick ? quickShare : 1))),
  };
}
