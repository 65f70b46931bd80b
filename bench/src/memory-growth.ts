import type { Benchmark } from "./harness/bench-context.ts";
import { formatMebibytes, limitRow } from "./harness/bench-rows.ts";
import { measureInOwnProcess } from "./harness/measure-in-own-process.ts";
import { type SoakMeasured, type SoakRequest, soak } from "./soak-cells.ts";

const title = { id: "B15", what: "RSS growth over mixed cells", must: "≤ 64 MiB over 20,000 cells" };

const maxGrowthBytes = 64 * 1024 * 1024;

/** B15: a process that runs cells for days does not grow. */
export const memoryGrowth: Benchmark = {
  titles: [title],
  async measure({ soakCells, seed, scaled }) {
    const request: SoakRequest = { cells: scaled(soakCells), seed };
    const measured = await measureInOwnProcess<SoakMeasured>(import.meta.url, request);
    const { growthBytes, cells, seconds } = measured;
    const text = `${formatMebibytes(growthBytes)} over ${cells.toLocaleString("en")} cells in ${seconds.toFixed(0)} s`;
    return [limitRow(title, { text, fits: growthBytes <= maxGrowthBytes }, measured)];
  },
};

/** Measures in the calling process. */
export async function measureInProcess(request: SoakRequest): Promise<SoakMeasured> {
  return await soak(request);
}
