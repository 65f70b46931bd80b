// Runs many mixed cells and watches memory and the ledger of tool calls:
// `node --conditions=@code-mode/source --expose-gc tools/soak/run.ts [--cells 20000] [--seed 1]`.
import { monitorEventLoopDelay } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { createCodeMode } from "../../packages/runtime/src/index.ts";
import { CallLedger } from "./call-ledger.ts";
import { createSoakTools, SoakCells } from "./soak-cells.ts";
import { buildSoakPlan, type SoakKind } from "./soak-plan.ts";

const MiB = 1024 * 1024;
const lanes = 4;
/** Growth of the process after warm-up that is still no leak. */
const maxGrowthBytes = 64 * MiB;
/** A machine that stalls for 100 ms ends a healthy cell as timeout; more than this share means a fault of ours. */
const maxUnexpectedShare = 0.005;
const delayResolutionMs = 5;

const { values } = parseArgs({
  options: { cells: { type: "string", default: "20000" }, seed: { type: "string", default: "1" } },
});
const cells = Number(values.cells);
const seed = Number(values.seed);
if (!Number.isInteger(cells) || cells < 100 || !Number.isInteger(seed))
  throw new Error("--cells takes an integer of at least 100, --seed an integer");
if (globalThis.gc === undefined) throw new Error("start Node with --expose-gc");

/** Runs part of the plan in four lanes, each starting its next cell when the one before has ended. */
async function runCells(plan: readonly SoakKind[], offset: number): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < plan.length) {
      const index = next++;
      await soak.run(plan[index] as SoakKind, offset + index);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

function settledRss(): number {
  globalThis.gc?.();
  return process.memoryUsage().rss;
}

const plan = buildSoakPlan(cells, seed);
const warmUp = Math.min(2000, Math.floor(cells / 5));
const step = Math.max(1, Math.ceil((cells - warmUp) / 10));
const ledger = new CallLedger();
const delay = monitorEventLoopDelay({ resolution: delayResolutionMs });

await using codeMode = createCodeMode({
  tools: createSoakTools(ledger),
  config: { timeoutMs: 100, memoryLimitBytes: 16 * MiB },
});
await codeMode.ready();
const soak = new SoakCells(codeMode, ledger);

const startedAt = performance.now();
await runCells(plan.slice(0, warmUp), 0);
const base = settledRss();
console.log(`${cells} cells, seed ${seed}, ${lanes} lanes; RSS after ${warmUp} cells: ${(base / MiB).toFixed(1)} MiB`);
delay.enable();
for (let from = warmUp; from < cells; from += step) {
  await runCells(plan.slice(from, from + step), from);
  const rss = settledRss();
  console.log(`  ${String(Math.min(cells, from + step)).padStart(6)} cells  ${(rss / MiB).toFixed(1)} MiB`);
}
await soak.drain();
delay.disable();

const growth = settledRss() - base;
const seconds = (performance.now() - startedAt) / 1000;
const p99 = Math.max(0, delay.percentile(99) / 1e6 - delayResolutionMs);
const unexpected = [...soak.unexpected.values()].reduce((sum, count) => sum + count, 0);
for (const [line, count] of soak.unexpected) console.log(`  unexpected: ${line} (${count} ×)`);
console.log(
  [
    `RSS growth ${(growth / MiB).toFixed(1)} MiB (at most ${maxGrowthBytes / MiB})`,
    `lost calls ${ledger.losses}`,
    `double calls ${ledger.doubles}`,
    `suspended left ${codeMode.suspendedCount}`,
    `unexpected outcomes ${unexpected}`,
    `event-loop delay p99 ${p99.toFixed(1)} ms`,
    `${(cells / seconds).toFixed(0)} cells/s`,
  ].join(" · "),
);
const red =
  growth > maxGrowthBytes ||
  ledger.losses + ledger.doubles + codeMode.suspendedCount > 0 ||
  unexpected > cells * maxUnexpectedShare;
process.exitCode = red ? 1 : 0;
