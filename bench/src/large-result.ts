import type { Benchmark } from "./harness/bench-context.ts";
import { formatMs, ratioRow } from "./harness/bench-rows.ts";
import { compareEngines, medianRounds } from "./harness/compare-engines.ts";
import { type EngineTask, timeEach } from "./harness/engine.ts";
import { createSeededRandom } from "./harness/seeded-random.ts";

const title = { id: "B4", what: "1.0 MB JSON result out (array of flat rows), p50", must: "≤ 0.12 × run" };

const rowCount = 11_500;
/** What still counts as 1.0 MB. */
const minBytes = 980_000;
const maxBytes = 1_050_000;
const cities = ["Lisbon", "Oslo", "Quito", "Hanoi", "Perth"];

/** Returns about 1.0 MB of flat rows; the time to build them in the guest is part of both engines' figures. */
export const largeResultTask: EngineTask = async (engine, { iterations, seed }) => {
  const random = createSeededRandom(seed);
  let last: readonly unknown[] = [];
  const values = await timeEach(iterations, async () => {
    const offset = 100_000 + random.integer(100_000);
    const source = `const cities = ${JSON.stringify(cities)};
const rows = [];
for (let i = 0; i < ${rowCount}; i++) {
  const id = ${offset} + i;
  rows.push({ id, name: "row number " + id, city: cities[i % 5], amount: i * 1.25, active: i % 2 === 0 });
}
return rows;`;
    const rows = (await engine.runCell(source)) as { id: number; amount: number }[];
    assertRows(rows, offset);
    last = rows;
  });
  const resultBytes = Buffer.byteLength(JSON.stringify(last));
  if (resultBytes < minBytes || resultBytes > maxBytes) throw new Error(`the result had ${resultBytes} bytes`);
  return { values, facts: { resultBytes } };
};

function assertRows(rows: readonly { id: number; amount: number }[], offset: number): void {
  const last = rows[rowCount - 1];
  if (rows.length !== rowCount || last?.id !== offset + rowCount - 1 || last.amount !== (rowCount - 1) * 1.25)
    throw new Error("the rows did not arrive as they were sent");
}

/** B4: what data costs that leaves the guest. */
export const largeResult: Benchmark = {
  titles: [title],
  async measure(context) {
    const compared = await compareEngines(context, { task: "largeResult", iterations: 5, warmup: 2 });
    return [ratioRow(title, medianRounds(compared), { limit: 0.12, format: formatMs })];
  },
};
