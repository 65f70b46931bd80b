// Runs the bug cases against the runtime and prints what they say: `pnpm cases [--planned] [--time-scale N] [ID or KIND …]`.
import { parseArgs } from "node:util";
import type { BugCase } from "@code-mode/testkit";
import { type JudgedCase, problemLines, summaryLines } from "./src/case-summary.ts";
import { loadBugCases, loadKnownOpen } from "./src/load-bug-cases.ts";
import { playBugCase } from "./src/play-bug-case.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { planned: { type: "boolean", default: false }, "time-scale": { type: "string", default: "1" } },
});
const isChosen = ({ id, kind }: BugCase): boolean =>
  positionals.length === 0 || positionals.some((name) => name === id || kind.startsWith(name));
const chosen = loadBugCases().filter(isChosen);
if (chosen.length === 0) {
  console.error(`no case has the id or kind ${positionals.join(" ")}`);
  process.exit(2);
}

const judged: JudgedCase[] = [];
for (const bugCase of chosen) {
  const report = await playBugCase(bugCase, Number(values["time-scale"]));
  judged.push({ bugCase, report });
  if (report.outcome === "fail") console.error(`fail ${bugCase.id}`);
}

const open = new Set(loadKnownOpen().map(({ id }) => id));
const isUnexpected = ({ bugCase, report }: JudgedCase): boolean =>
  report.outcome !== "planned" && (report.outcome === "fail") !== open.has(bugCase.id);
if (values.planned) console.log(`planned:\n${problemLines(judged, "planned").join("\n")}\n`);
console.log([...problemLines(judged, "fail"), "", ...summaryLines(judged)].join("\n"));
const unchecked = judged.filter(({ report }) => report.outcome !== "planned" && report.unchecked.length > 0);
if (unchecked.length > 0)
  console.log(
    `partly unchecked: ${unchecked.map(({ bugCase, report }) => `${bugCase.id} (${report.unchecked.join(", ")})`).join(", ")}`,
  );
const unexpected = judged
  .filter(isUnexpected)
  .map(({ bugCase, report }) =>
    report.outcome === "fail" ? bugCase.id : `${bugCase.id} passes: take it off known-open.json`,
  );
if (unexpected.length > 0) console.log(`unexpected: ${unexpected.join(", ")}`);
process.exitCode = unexpected.length > 0 ? 1 : 0;
