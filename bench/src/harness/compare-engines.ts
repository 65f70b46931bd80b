import type { BenchContext } from "./bench-context.ts";
import type { EngineName, Sample } from "./engine.ts";
import type { EngineTaskName } from "./engine-tasks.ts";
import { median } from "./statistics.ts";
import { TaskProcess } from "./task-process.ts";

/** What both engines must do in each round. */
export type Comparison = { readonly task: EngineTaskName; readonly iterations: number; readonly warmup: number };

/** Samples of both engines, round by round. */
export type Compared = { readonly ours: readonly Sample[]; readonly run: readonly Sample[] };

const childFile = new URL("./engine-child.ts", import.meta.url);

/** Runs a task on both engines, each in its own process, in interleaved rounds: ours, run, ours, run, … */
export async function compareEngines(context: BenchContext, comparison: Comparison): Promise<Compared> {
  using ours = new TaskProcess(childFile, ["ours"]);
  using run = new TaskProcess(childFile, ["run"]);
  const processes: Record<EngineName, TaskProcess> = { ours, run };
  const samples: Record<EngineName, Sample[]> = { ours: [], run: [] };
  const measure = (name: EngineName, iterations: number, seed: number): Promise<Sample> =>
    processes[name].request<Sample>({ task: comparison.task, iterations, seed });
  const names = ["ours", "run"] as const;
  for (const name of names) await measure(name, context.scaled(comparison.warmup), context.seed);
  for (let round = 1; round <= context.rounds; round++) {
    for (const name of names)
      samples[name].push(await measure(name, context.scaled(comparison.iterations), context.seed + round));
  }
  return samples;
}

/** The median of each round, for both engines. */
export function medianRounds({ ours, run }: Compared): { readonly ours: number[]; readonly run: number[] } {
  return { ours: ours.map(({ values }) => median(values)), run: run.map(({ values }) => median(values)) };
}
