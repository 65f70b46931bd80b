// Kills a writing store process at every point of a scenario and reopens what it left; then damages its log:
// `node --conditions=@code-mode/source tools/crash/run.ts [--records 200] [--points N] [--syscalls] [--damage 200] [--seed 1]`.
import { parseArgs } from "node:util";
import { type CrashReport, canTrace, countPoints, type Killer, tryCrashPoints } from "./crash-points.ts";
import { tryDamage } from "./damage-log.ts";

const { values } = parseArgs({
  options: {
    records: { type: "string", default: "200" },
    points: { type: "string" },
    syscalls: { type: "boolean", default: false },
    damage: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
  },
});
const count = wholeNumber("records", values.records);
const offsets = wholeNumber("damage", values.damage);
const seed = wholeNumber("seed", values.seed);
if (values.syscalls && !canTrace()) throw new Error("--syscalls needs strace and the right to trace processes");

function wholeNumber(name: string, text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 0) return value;
  throw new Error(`--${name} takes a whole number, found ${text}`);
}

/** Every point, or as many as asked for, spread over all of them. */
async function chosenPoints(): Promise<readonly number[]> {
  const all = await countPoints(count);
  const wanted = Math.min(values.points === undefined ? all : wholeNumber("points", values.points), all);
  return Array.from({ length: wanted }, (_, index) => 1 + Math.floor((index * all) / wanted));
}

function report(killer: Killer, { tried, lost, torn, faults }: CrashReport): boolean {
  console.log(`kill -9 at every ${killer} of ${count} records: points tried ${tried}, lost ${lost}, torn ${torn}`);
  for (const fault of faults) console.log(`  ${fault}`);
  return lost === 0 && torn === 0 && tried > 0;
}

let good = report("statement", await tryCrashPoints("statement", { count, points: await chosenPoints() }));
if (values.syscalls) good = report("system call", await tryCrashPoints("system call", { count })) && good;
const damaged = await tryDamage(offsets, { count, seed });
console.log(
  `damaged logs (seed ${seed}): offsets tried ${damaged.tried}, exact prefix ${damaged.prefixes}, refused ${damaged.refusals}, torn ${damaged.torn}`,
);
for (const fault of damaged.faults) console.log(`  ${fault}`);
process.exitCode = good && damaged.torn === 0 ? 0 : 1;
