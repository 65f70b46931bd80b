import type { BugCase, CaseReport } from "@code-mode/testkit";

/** A case with its judgement. */
export type JudgedCase = { readonly bugCase: BugCase; readonly report: CaseReport };

/** What a line counts. A case that does not grade has one mark, its best. */
const columns: readonly { readonly name: string; has(report: CaseReport): boolean }[] = [
  { name: "at best", has: ({ outcome }) => outcome === "best" || outcome === "pass" },
  { name: "at min", has: ({ outcome }) => outcome === "min" },
  { name: "failed", has: ({ outcome }) => outcome === "fail" },
  { name: "planned", has: ({ outcome }) => outcome === "planned" },
];

/** One line per kind with the number of cases of each outcome, and a line for all of them. */
export function summaryLines(judged: readonly JudgedCase[]): readonly string[] {
  const kinds = [...new Set(judged.map(({ bugCase }) => bugCase.kind))].toSorted();
  const rows = kinds.map((kind) => [kind, judged.filter(({ bugCase }) => bugCase.kind === kind)] as const);
  const widest = Math.max(...kinds.map((kind) => kind.length), "all".length);
  return [...rows, ["all", judged] as const].map(([name, cases]) => `${name.padEnd(widest)}  ${counts(cases)}`);
}

/** The id and every problem of the cases with this outcome. */
export function problemLines(judged: readonly JudgedCase[], outcome: CaseReport["outcome"]): readonly string[] {
  return judged
    .filter(({ report }) => report.outcome === outcome)
    .flatMap(({ bugCase, report }) => [
      `${bugCase.id} ${bugCase.symptom}`,
      ...report.problems.map((problem) => `    ${problem}`),
    ]);
}

function counts(judged: readonly JudgedCase[]): string {
  const cells = columns.map(({ name, has }) => {
    const count = judged.filter(({ report }) => has(report)).length;
    return `${String(count).padStart(5)} ${name}`;
  });
  return `${String(judged.length).padStart(4)} cases:${cells.join(",")}`;
}
