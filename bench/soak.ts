import { parseArgs } from "node:util";
import { parseCount } from "./src/bench-options.ts";
import { formatMebibytes } from "./src/harness/bench-rows.ts";
import { soak } from "./src/soak-cells.ts";

// Entry of `pnpm bench:soak`: mixed cells for as long as it takes, exit 1 when memory grew too much or a cell ended wrong.
const maxGrowthBytes = 64 * 1024 * 1024;

const { values } = parseArgs({
  args: process.argv.slice(2).filter((arg) => arg !== "--"),
  options: { cells: { type: "string", default: "20000" }, seed: { type: "string", default: "1" } },
});
const cells = parseCount("--cells", values.cells);
const seed = parseCount("--seed", values.seed);
console.log(`${cells} mixed cells, seed ${seed}`);
const measured = await soak({
  cells,
  seed,
  onProgress: (done, rssBytes) => console.log(`${done} cells, RSS ${formatMebibytes(rssBytes)}`),
});
const fits = measured.growthBytes <= maxGrowthBytes;
console.log(
  `${fits ? "ok" : "over"}: RSS grew by ${formatMebibytes(measured.growthBytes)} (${formatMebibytes(measured.startBytes)} → ${formatMebibytes(measured.endBytes)}) in ${measured.seconds.toFixed(0)} s, at most ${formatMebibytes(maxGrowthBytes)} allowed`,
);
if (!fits) process.exitCode = 1;
