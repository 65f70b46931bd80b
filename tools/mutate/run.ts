// Switches rules off one at a time in a copy of the repository; each must turn a test red:
// `node tools/mutate/run.ts [words of rule names …]`.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Mutant, type Rule, rules } from "./rules.ts";
import { runTests, type TestChoice } from "./run-tests.ts";
import { createWorkCopy } from "./work-copy.ts";

type Row = { readonly rule: string; readonly file: string; readonly killedBy: string; readonly verdict: string };

const words = process.argv.slice(2);
const chosen = rules.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
using copy = createWorkCopy(join(import.meta.dirname, "../.."));

/** Without a change the tests must pass: a test that is red anyway kills nothing. */
async function findRedTests(): Promise<ReadonlySet<string>> {
  const choices = new Map<string, TestChoice>();
  for (const { project, tests, only } of chosen.flatMap(({ mutants }) => mutants))
    for (const test of tests) {
      const choice = { project, tests: [test], ...(only === undefined ? {} : { only }) };
      choices.set(nameOf(test, only), choice);
    }
  const red = new Set<string>();
  for (const [name, choice] of choices) {
    const { failed, passed, problem } = await runTests(copy.root, choice);
    if (failed.length > 0 || passed === 0 || problem !== undefined) red.add(name);
  }
  return red;
}

function nameOf(test: string, only: string | undefined): string {
  return only === undefined ? test : `${test} -t "${only}"`;
}

async function judge({ name }: Rule, mutant: Mutant, red: ReadonlySet<string>): Promise<Row> {
  const row = { rule: name, file: mutant.file };
  const path = join(copy.root, mutant.file);
  const source = readFileSync(path, "utf8");
  if (source.split(mutant.find).length !== 2)
    return { ...row, killedBy: `not once in the file: ${mutant.find}`, verdict: "PATCH DOES NOT APPLY" };
  const redAlready = mutant.tests.map((test) => nameOf(test, mutant.only)).filter((name) => red.has(name));
  if (redAlready.length > 0) return { ...row, killedBy: redAlready.join(", "), verdict: "RED WITHOUT THE CHANGE" };
  writeFileSync(
    path,
    source.replace(mutant.find, () => mutant.replace),
  );
  const { failed, problem } = await runTests(copy.root, mutant);
  writeFileSync(path, source);
  const [first] = failed;
  if (first !== undefined) return { ...row, killedBy: first, verdict: "killed" };
  return { ...row, killedBy: problem ?? "–", verdict: problem === undefined ? "SURVIVED" : "BROKEN" };
}

function print(rows: readonly Row[]): void {
  const titles = { rule: "rule", file: "file", killedBy: "killed by", verdict: "verdict" };
  const lines = [titles, ...rows].map(({ rule, file, killedBy, verdict }) =>
    [rule.padEnd(26), file.replace("packages/", "").padEnd(46), killedBy.slice(0, 100).padEnd(100), verdict].join(
      " | ",
    ),
  );
  console.log(lines.join("\n"));
}

const red = await findRedTests();
const rows: Row[] = [];
for (const rule of chosen) for (const mutant of rule.mutants) rows.push(await judge(rule, mutant, red));
print(rows);
const killed = rows.filter(({ verdict }) => verdict === "killed").length;
console.log(`${killed} of ${rows.length} changes killed, ${chosen.length} rules`);
process.exitCode = killed === rows.length && rows.length > 0 ? 0 : 1;
