// Runs the hostile corpus against the runtime, all programs in one process: `node --conditions=@code-mode/source e2e/run-hostile.ts [ID or CLASS …]`.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { judgeHostileProgram, parseHostilePrograms } from "@code-mode/testkit";
import { createCaseCodeMode } from "./src/create-case-code-mode.ts";

const timeoutMs = 1000;
const names = process.argv.slice(2);
const corpus = parseHostilePrograms(readFileSync(join(import.meta.dirname, "cases/hostile-corpus.jsonl"), "utf8"));
const chosen = corpus.filter(
  (program) => names.length === 0 || names.includes(program.id) || names.includes(program.class),
);

let contained = 0;
{
  await using codeMode = await createCaseCodeMode({ tools: [], config: { enabled: true, timeoutMs } });
  for (const program of chosen) {
    const faults = await judgeHostileProgram(program, codeMode, { timeoutMs });
    if (faults.length === 0) contained++;
    else console.log(`${program.id} (${program.class})\n${faults.map((fault) => `    ${fault}`).join("\n")}`);
  }
}
console.log(`${contained} of ${chosen.length} contained`);
process.exitCode = contained === chosen.length && chosen.length > 0 ? 0 : 1;
