import { judge, needsOf, type Observation } from "@code-mode/testkit";
import { expect, it } from "vitest";
import { loadBugCases } from "../src/load-bug-cases.ts";

const cases = loadBugCases();
const nothing: Observation = {
  result: undefined,
  results: [],
  elapsedMs: [],
  calls: [],
  ledger: {},
  modelCalls: 0,
  lagMs: 0,
  facts: {},
};

it("there are 186 cases with ids of their own, of nine kinds", () => {
  expect(new Set(cases.map(({ id }) => id)).size).toBe(186);
  expect(new Set(cases.map(({ kind }) => kind)).size).toBe(9);
});

it("every expectation of a runnable case is in the vocabulary", () => {
  const steps = Array.from({ length: 10 }, () => nothing);
  for (const { id, expected } of cases.filter((bugCase) => needsOf(bugCase).length === 0))
    expect(() => judge(expected, { whole: nothing, steps, timeScale: 1 }), id).not.toThrow();
});

it("a case in which nothing happened never passes", () => {
  const runnable = cases.filter((bugCase) => needsOf(bugCase).length === 0);
  const outcomes = runnable.map(({ id, expected }) => [
    id,
    judge(expected, { whole: nothing, steps: [], timeScale: 1 }).outcome,
  ]);
  expect(outcomes.filter(([, outcome]) => outcome !== "fail")).toEqual([]);
});

it("every case that cannot run says what it needs", () => {
  const planned = cases.filter((bugCase) => needsOf(bugCase).length > 0);
  expect(planned.length).toBeLessThan(cases.length / 2);
  for (const bugCase of planned) expect(needsOf(bugCase).join()).toMatch(/need|harness/);
});
