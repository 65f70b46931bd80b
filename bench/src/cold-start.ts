import type { BenchContext, Benchmark } from "./harness/bench-context.ts";
import { formatMs, ratioRow } from "./harness/bench-rows.ts";
import { assertValue, type EngineName } from "./harness/engine.ts";
import { createSeededRandom } from "./harness/seeded-random.ts";
import { median } from "./harness/statistics.ts";
import { TaskProcess } from "./harness/task-process.ts";

const title = { id: "B8", what: "import + create + first cell in a fresh process", must: "≤ 0.6 × run" };

const childFile = new URL("./harness/cold-start-child.ts", import.meta.url);
const processesPerRound = 2;

/** B8: what the first cell of a process costs; Node's own start is not part of it. */
export const coldStart: Benchmark = {
  titles: [title],
  async measure(context) {
    const rounds: Record<EngineName, number[]> = { ours: [], run: [] };
    // The first process of each engine reads the files from disk; it is not counted.
    for (const name of ["ours", "run"] as const) await firstCell(name, context, 0);
    for (let round = 1; round <= context.rounds; round++) {
      const times: Record<EngineName, number[]> = { ours: [], run: [] };
      for (let index = 0; index < context.scaled(processesPerRound); index++) {
        for (const name of ["ours", "run"] as const)
          times[name].push(await firstCell(name, context, round * 100 + index));
      }
      for (const name of ["ours", "run"] as const) rounds[name].push(median(times[name]));
    }
    return [ratioRow(title, rounds, { limit: 0.6, format: formatMs })];
  },
};

async function firstCell(name: EngineName, context: BenchContext, index: number): Promise<number> {
  using child = new TaskProcess(childFile, [name]);
  const a = createSeededRandom(context.seed + index).integer(1_000_000);
  const { ms, value } = await child.request<{ ms: number; value: unknown }>({ source: `return ${a} + 1` });
  assertValue(value, a + 1);
  return ms;
}
