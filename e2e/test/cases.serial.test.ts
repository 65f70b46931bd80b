import { needsOf, runCase } from "@code-mode/testkit";
import { describe, expect, it } from "vitest";
import { createCaseCodeMode } from "../src/create-case-code-mode.ts";
import { loadBugCases, loadKnownOpen } from "../src/load-bug-cases.ts";

/** Time limits of the cases are those of an idle machine; here other work may run beside them. */
const timeScale = 4;
/** The slowest case waits some 8 s for its tool. */
const caseTimeoutMs = 120_000;

const runnable = loadBugCases().filter((bugCase) => needsOf(bugCase).length === 0);
const open = new Map(loadKnownOpen().map(({ id, reason }) => [id, reason]));

describe("bug cases", () => {
  for (const bugCase of runnable.filter(({ id }) => !open.has(id))) {
    it(`${bugCase.id} ${bugCase.symptom}`, { timeout: caseTimeoutMs }, async () => {
      const { problems, outcome } = await runCase(bugCase, { create: createCaseCodeMode, timeScale });
      expect(outcome === "fail" ? problems : []).toEqual([]);
    });
  }
});

describe("known open bug cases", () => {
  it("every known-open id is a runnable case, listed once with a reason", () => {
    const ids = runnable.map(({ id }) => id);
    expect([...open.keys()].filter((id) => !ids.includes(id))).toEqual([]);
    expect(loadKnownOpen()).toHaveLength(open.size);
    expect([...open.values()].filter((reason) => reason.trim().length < 10)).toEqual([]);
  });

  for (const bugCase of runnable.filter(({ id }) => open.has(id))) {
    it(`${bugCase.id} still fails: ${bugCase.symptom}`, { timeout: caseTimeoutMs }, async () => {
      const { outcome } = await runCase(bugCase, { create: createCaseCodeMode, timeScale });
      expect(outcome, `${bugCase.id} is met now: take it off known-open.json`).toBe("fail");
    });
  }
});
