import type { CodeModeResult, JsonObject } from "@code-mode/contract";
import { type CaseReport, judge, type Observation } from "../src/index.ts";

/** What one call with this result lets one see. */
export function observe(result: CodeModeResult | undefined, more: Partial<Observation> = {}): Observation {
  const results = result === undefined ? [] : [result];
  return {
    result,
    results,
    elapsedMs: results.map(() => 10),
    calls: [],
    ledger: {},
    modelCalls: results.length,
    lagMs: 0,
    facts: {},
    ...more,
  };
}

/** The judgement of one observation. */
export function judged(expected: JsonObject, seen: Observation, timeScale = 1): CaseReport {
  return judge(expected, { whole: seen, steps: [seen], timeScale });
}

/** `pass`, `fail`, … of one result. */
export function outcomeOf(
  expected: JsonObject,
  result: CodeModeResult | undefined,
  more: Partial<Observation> = {},
): string {
  return judged(expected, observe(result, more)).outcome;
}
