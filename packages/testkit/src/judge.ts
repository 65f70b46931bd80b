import type { JsonObject, JsonValue } from "@code-mode/contract";
import type { CaseOutcome, CaseReport, Observation } from "./case-types.ts";
import { asList, isJsonObject } from "./json-guards.ts";
import type { Matcher } from "./matchers/matcher.ts";
import { deferred, matchers, remarks, unseen } from "./matchers/matchers.ts";

/** What a case showed, as a whole and step by step. */
export type Evidence = {
  readonly whole: Observation;
  readonly steps: readonly Observation[];
  readonly timeScale: number;
  /** Words that whoever played the case judges itself; they come before the common ones. */
  readonly words?: Readonly<Record<string, Matcher>>;
};

const rank: readonly CaseOutcome[] = ["pass", "best", "min", "planned", "fail"];

/**
 * Judges an expectation. Plain keys must all hold; then `best` decides the mark, else `min`; of `oneOf`
 * one must hold. An alternative that is only a remark, or that nobody here can see, never holds.
 * @throws TypeError for a word that is not in the vocabulary
 */
export function judge(expected: JsonObject, evidence: Evidence): CaseReport {
  const reports = Object.entries(expected)
    .filter(([key]) => key !== "best" && key !== "min")
    .map(([key, wanted]) => judgeKey(key, wanted, evidence));
  return combine([...reports, ...judgeMarks(expected, evidence)]);
}

function judgeKey(key: string, wanted: JsonValue, evidence: Evidence): CaseReport {
  const matcher = evidence.words?.[key] ?? matchers[key];
  if (matcher !== undefined) {
    const problem = matcher(wanted, { seen: evidence.whole, timeScale: evidence.timeScale });
    return problem === undefined ? reportOf("pass") : reportOf("fail", [problem]);
  }
  if (key === "steps") return judgeSteps(asList(wanted), evidence);
  if (key === "oneOf") return judgeAlternatives(asList(wanted), evidence);
  if (key === "eventually" && isJsonObject(wanted)) return judge(wanted, evidence);
  if (remarks.has(key)) return reportOf("pass");
  if (unseen.has(key)) return { ...reportOf("pass"), unchecked: [key] };
  if (deferred.has(key)) return reportOf("planned", [`expected.${key} needs a running gateway`]);
  throw new TypeError(`expected.${key} is not in the vocabulary of the cases`);
}

function judgeSteps(wanted: readonly JsonValue[], { steps, ...rest }: Evidence): CaseReport {
  const reports = wanted.map((expected, index): CaseReport => {
    const seen = steps[index];
    if (seen === undefined) return reportOf("fail", [`step ${index} did not take place`]);
    const report = judge(expected as JsonObject, { ...rest, whole: seen, steps: [] });
    return { ...report, problems: report.problems.map((problem) => `step ${index}: ${problem}`) };
  });
  return combine(reports);
}

function judgeAlternatives(wanted: readonly JsonValue[], evidence: Evidence): CaseReport {
  const reports = wanted.map((option) => judge(option as JsonObject, evidence));
  const held = reports.find(
    ({ outcome, unchecked }, index) => hasExpectation(wanted[index]) && unchecked.length === 0 && isHeld(outcome),
  );
  if (held !== undefined) return reportOf("pass");
  const undecided = reports.find(({ outcome }) => outcome === "planned");
  return (
    undecided ?? reportOf("fail", [`none of oneOf holds: ${reports.flatMap(({ problems }) => problems).join(" | ")}`])
  );
}

function judgeMarks(expected: JsonObject, evidence: Evidence): readonly CaseReport[] {
  if (!isJsonObject(expected.best)) return [];
  const best = judge(expected.best, evidence);
  if (isHeld(best.outcome)) return [hasExpectation(expected.best) ? { ...best, outcome: "best" } : reportOf("pass")];
  if (!isJsonObject(expected.min)) return [best.outcome === "planned" ? best : reportOf("pass")];
  const least = judge(expected.min, evidence);
  if (isHeld(least.outcome)) return [{ ...least, outcome: "min" }];
  return [
    best.outcome === "planned"
      ? best
      : reportOf("fail", [...best.problems, ...least.problems.map((problem) => `nor min: ${problem}`)]),
  ];
}

function hasExpectation(wanted: JsonValue | undefined): boolean {
  return isJsonObject(wanted) && Object.keys(wanted).some((key) => !remarks.has(key));
}

function isHeld(outcome: CaseOutcome): boolean {
  return outcome === "pass" || outcome === "best" || outcome === "min";
}

function reportOf(outcome: CaseOutcome, problems: readonly string[] = []): CaseReport {
  return { outcome, problems, unchecked: [] };
}

/** The worst part decides; a failure hides no other failure. */
function combine(reports: readonly CaseReport[]): CaseReport {
  const outcome = reports.reduce<CaseOutcome>(
    (worst, report) => (rank.indexOf(report.outcome) > rank.indexOf(worst) ? report.outcome : worst),
    "pass",
  );
  return {
    outcome,
    problems: reports.filter((report) => report.outcome === outcome).flatMap(({ problems }) => problems),
    unchecked: reports.flatMap(({ unchecked }) => unchecked),
  };
}
