import { judge, type Observation } from "@code-mode/testkit";
import { expect, it } from "vitest";
import { loadBugCases, loadKnownOpen } from "../src/load-bug-cases.ts";
import { stageOf } from "../src/play-bug-case.ts";

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

it("every case is played somewhere, at the runtime or at a gateway", () => {
  expect(cases.filter((bugCase) => stageOf(bugCase) === "nowhere").map(({ id }) => id)).toEqual([]);
});

it("every expectation of a case is in the vocabulary", () => {
  const steps = Array.from({ length: 10 }, () => nothing);
  for (const { id, expected } of cases)
    expect(() => judge(expected, { whole: nothing, steps, timeScale: 1 }), id).not.toThrow();
});

it("a case in which nothing happened never passes", () => {
  const outcomes = cases.map(({ id, expected }) => {
    const { outcome } = judge(expected, { whole: nothing, steps: [], timeScale: 1 });
    return [id, outcome];
  });
  expect(outcomes.filter(([, outcome]) => outcome !== "fail" && outcome !== "planned")).toEqual([]);
});

it("every known-open id is a case, listed once with a reason", () => {
  const ids = new Set(cases.map(({ id }) => id));
  const listed = loadKnownOpen();
  expect(listed.filter(({ id }) => !ids.has(id))).toEqual([]);
  expect(new Set(listed.map(({ id }) => id)).size).toBe(listed.length);
  expect(listed.filter(({ reason }) => reason.trim().length < 10)).toEqual([]);
});
