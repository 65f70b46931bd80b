import type { Benchmark } from "./harness/bench-context.ts";
import { formatMs, limitRow, ratioRow } from "./harness/bench-rows.ts";
import { compareEngines, medianRounds } from "./harness/compare-engines.ts";
import { assertValue, type EngineTask, timeEach } from "./harness/engine.ts";
import { createSeededRandom } from "./harness/seeded-random.ts";

const timeTitle = { id: "B5", what: "suspend at an approval + resume, one-tool cell, p50", must: "≤ 0.08 × run" };
const bytesTitle = { id: "B6", what: "stored bytes of that suspended cell (blob + state)", must: "≤ 12 KB" };

const maxStoredBytes = 12 * 1024;

/** One tool call that waits for a human: from the start of the program to the result after the approval. */
export const suspendResumeTask: EngineTask = async (engine, { iterations, seed }) => {
  const random = createSeededRandom(seed);
  let storedBytes = 0;
  const values = await timeEach(iterations, async () => {
    const draft = `draft-${random.integer(1_000_000)}`;
    const source = `const done = await tools.publish({ draft: "${draft}" });
return done.published;`;
    const cell = await engine.runGatedCell(source);
    assertValue(cell.value, draft);
    storedBytes = Math.max(storedBytes, cell.storedBytes);
  });
  return { values, facts: { storedBytes } };
};

/** B5 and B6: what a pause costs, in time and in memory. */
export const suspendResume: Benchmark = {
  titles: [timeTitle, bytesTitle],
  async measure(context) {
    const compared = await compareEngines(context, { task: "suspendResume", iterations: 30, warmup: 200 });
    const { ours, run } = compared;
    const stored = Math.max(...ours.map(({ facts }) => facts.storedBytes as number));
    const token = Math.max(...run.map(({ facts }) => facts.storedBytes as number));
    const bytesRow = limitRow(
      bytesTitle,
      { text: formatKilobytes(stored), fits: stored <= maxStoredBytes },
      { ours: stored, run: token },
    );
    return [
      ratioRow(timeTitle, medianRounds(compared), { limit: 0.08, format: formatMs }),
      { ...bytesRow, run: formatKilobytes(token) },
    ];
  },
};

function formatKilobytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KB`;
}
