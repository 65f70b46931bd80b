import type { Benchmark } from "./harness/bench-context.ts";
import { formatMs, ratioRow } from "./harness/bench-rows.ts";
import { compareEngines, medianRounds } from "./harness/compare-engines.ts";
import { assertValue, type EngineTask, timeEach } from "./harness/engine.ts";
import { createSeededRandom } from "./harness/seeded-random.ts";

const title = { id: "B1", what: "trivial cell, warm, p50", must: "≤ 0.10 × run" };

/** Runs `return n + n` with fresh numbers each time: no model sends the same program twice, so no source cache may help. */
export const trivialCellTask: EngineTask = async (engine, { iterations, seed }) => {
  const random = createSeededRandom(seed);
  const values = await timeEach(iterations, async () => {
    const a = random.integer(1_000_000);
    const b = random.integer(1_000_000);
    assertValue(await engine.runCell(`return ${a} + ${b}`), a + b);
  });
  return { values, facts: {} };
};

/** B1: what a cell costs that does nothing. */
export const trivialCell: Benchmark = {
  titles: [title],
  async measure(context) {
    const compared = await compareEngines(context, { task: "trivialCell", iterations: 300, warmup: 2000 });
    return [ratioRow(title, medianRounds(compared), { limit: 0.1, format: formatMs })];
  },
};
