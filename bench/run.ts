import { allBenchmarks } from "./src/all-benchmarks.ts";
import { parseBenchOptions } from "./src/bench-options.ts";
import { formatNotes, formatTable } from "./src/format-table.ts";
import { describeMachine } from "./src/machine.ts";
import { runBenchmarks } from "./src/run-benchmarks.ts";
import { writeResults } from "./src/write-results.ts";

// Entry of `pnpm bench`. Exit code 1: a measurement failed, or with --strict a budget was missed; 2: bad arguments.
process.on("uncaughtException", (error) => {
  console.error(error.message);
  process.exit(2);
});
const options = parseBenchOptions(process.argv.slice(2));
const machine = describeMachine();
console.log(
  `seed ${options.seed}, ${options.rounds} rounds, Node ${machine.node}, ${machine.cores} cores, load ${machine.loadBefore}`,
);
const rows = await runBenchmarks(allBenchmarks, options, { onStart: (ids) => console.log(`measuring ${ids} …`) });
console.log(`\n${formatTable(rows)}`);
const notes = formatNotes(rows);
if (notes !== "") console.log(`\n${notes}`);
console.log(`\nwritten to ${writeResults({ machine, options, rows })}`);
const bad = rows.filter(({ verdict }) => verdict === "failed" || (options.strict && verdict === "over"));
if (bad.length > 0) process.exitCode = 1;
