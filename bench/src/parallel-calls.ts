import type { Benchmark } from "./harness/bench-context.ts";
import { formatMs, ratioRow } from "./harness/bench-rows.ts";
import { compareEngines, medianRounds } from "./harness/compare-engines.ts";
import { assertValue, type EngineTask, timeEach } from "./harness/engine.ts";
import { createSeededRandom } from "./harness/seeded-random.ts";

const title = { id: "B3", what: "100 parallel calls, p50 (our defaults; caps of run raised)", must: "≤ 0.25 × run" };

const calls = 100;

/** Awaits 100 calls at once; ours runs 16 of them at a time, as configured by default. */
export const parallelCallsTask: EngineTask = async (engine, { iterations, seed }) => {
  const random = createSeededRandom(seed);
  const values = await timeEach(iterations, async () => {
    const b = random.integer(1000);
    const source = `const sums = await Promise.all(Array.from({ length: ${calls} }, (_, a) => tools.add({ a, b: ${b} })));
return sums.reduce((total, { sum }) => total + sum, 0);`;
    assertValue(await engine.runCell(source), (calls * (calls - 1)) / 2 + calls * b);
  });
  return { values, facts: {} };
};

/** B3: what calls cost that a program makes together. */
export const parallelCalls: Benchmark = {
  titles: [title],
  async measure(context) {
    const compared = await compareEngines(context, { task: "parallelCalls", iterations: 40, warmup: 200 });
    return [ratioRow(title, medianRounds(compared), { limit: 0.25, format: formatMs })];
  },
};
