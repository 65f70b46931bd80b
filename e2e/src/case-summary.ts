import type { BugCase, CaseOutcome, CaseReport } from "@code-mode/testkit";

/** A case with its judgement. */
export type JudgedCase = { readonly bugCase: BugCase; readonly report: CaseReport };

const outcomes: readonly CaseOutcome[] = ["best", "pass", "min", "fail", "planned"];

/** One line per kind with the number of cases of each outcome, and a line for all of them. */
export function summaryLines(judged: readonly JudgedCase[]): readonly string[] {
  const kinds = [...new Set(judged.map(({ bugCase }) => bugCase.kind))].toSorted();
  const rows = kinds.map((kind) => [kind, judged.filter(({ bugCase }) => bugCase.kind === kind)] as const);
  const widest = Math.max(...kinds.map((kind) => kind.length), "all".length);
  return [...rows, ["all", judged] as const].map(([name, cases]) => `${name.padEnd(widest)}  ${counts(cases)}`);
}

/** The id and every problem of the cases with this outcome. */
export function problemLines(judged: readonly JudgedCase[], outcome: CaseOutcome): readonly string[] {
  return judged
    .filter(({ report }) => report.outcome === outcome)
    .flatMap(({ bugCase, report }) => [
      `${bugCase.id} ${bugCase.symptom}`,
      ...report.problems.map((problem) => `    ${problem}`),
    ]);
}

function counts(judged: readonly JudgedCase[]): string {
  const numbers = outcomes.map(
    (outcome) => [outcome, judged.filter(({ report }) => report.outcome === outcome).length] as const,
  );
  return numbers.map(([outcome, count]) => `${count} ${outcome}`.padStart(`${outcome}`.length + 5)).join("");
}
