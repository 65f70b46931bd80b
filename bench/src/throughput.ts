import type { Benchmark } from "./harness/bench-context.ts";
import { formatRate, ratioRow } from "./harness/bench-rows.ts";
import { compareEngines, medianRounds } from "./harness/compare-engines.ts";
import { assertValue, type EngineTask } from "./harness/engine.ts";
import { createSeededRandom } from "./harness/seeded-random.ts";

const title = { id: "B7", what: "throughput, 8 concurrent trivial cells", must: "≥ 10 × run" };

const lanes = 8;

/** Eight lanes that each start the next cell when the one before has ended; cells per second. */
export const throughputTask: EngineTask = async (engine, { iterations, seed }) => {
  const random = createSeededRandom(seed);
  let left = iterations;
  const lane = async (): Promise<void> => {
    while (left-- > 0) {
      const a = random.integer(1_000_000);
      assertValue(await engine.runCell(`return ${a} + 1`), a + 1);
    }
  };
  const from = performance.now();
  await Promise.all(Array.from({ length: lanes }, lane));
  return { values: [(iterations * 1000) / (performance.now() - from)], facts: {} };
};

/** B7: cells per second when many agents share a process. */
export const throughput: Benchmark = {
  titles: [title],
  async measure(context) {
    const compared = await compareEngines(context, { task: "throughput", iterations: 800, warmup: 2000 });
    return [ratioRow(title, medianRounds(compared), { limit: 10, atLeast: true, format: formatRate })];
  },
};
