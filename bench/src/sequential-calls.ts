import type { Benchmark } from "./harness/bench-context.ts";
import { formatMs, ratioRow } from "./harness/bench-rows.ts";
import { compareEngines, medianRounds } from "./harness/compare-engines.ts";
import { assertValue, type EngineTask, timeEach } from "./harness/engine.ts";
import { createSeededRandom } from "./harness/seeded-random.ts";

const title = { id: "B2", what: "100 sequential calls, p50", must: "≤ 0.35 × run" };

const calls = 100;

/** Awaits 100 calls one after the other. */
export const sequentialCallsTask: EngineTask = async (engine, { iterations, seed }) => {
  const random = createSeededRandom(seed);
  const values = await timeEach(iterations, async () => {
    const b = random.integer(1000);
    const source = `let total = 0;
for (let a = 0; a < ${calls}; a++) {
  const { sum } = await tools.add({ a, b: ${b} });
  total += sum;
}
return total;`;
    assertValue(await engine.runCell(source), (calls * (calls - 1)) / 2 + calls * b);
  });
  return { values, facts: {} };
};

/** B2: what a call costs that the program waits for. */
export const sequentialCalls: Benchmark = {
  titles: [title],
  async measure(context) {
    const compared = await compareEngines(context, { task: "sequentialCalls", iterations: 40, warmup: 200 });
    return [ratioRow(title, medianRounds(compared), { limit: 0.35, format: formatMs })];
  },
};
