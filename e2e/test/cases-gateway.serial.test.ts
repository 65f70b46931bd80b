import { describe, expect, it } from "vitest";
import { loadBugCases, loadKnownOpen } from "../src/load-bug-cases.ts";
import { playBugCase, stageOf } from "../src/play-bug-case.ts";

/** Time limits of the cases are those of an idle machine; here other work may run beside them. */
const timeScale = 4;
/** A case starts one gateway, or two. */
const caseTimeoutMs = 120_000;

const runnable = loadBugCases().filter((bugCase) => stageOf(bugCase) === "gateway");
const open = new Map(loadKnownOpen().map(({ id, reason }) => [id, reason]));

describe("bug cases at the built gateway", () => {
  for (const bugCase of runnable.filter(({ id }) => !open.has(id))) {
    it(`${bugCase.id} ${bugCase.symptom}`, { timeout: caseTimeoutMs }, async () => {
      const { problems, outcome } = await playBugCase(bugCase, timeScale);
      expect(outcome === "fail" ? problems : []).toEqual([]);
    });
  }
});

describe("known open bug cases at the built gateway", () => {
  for (const bugCase of runnable.filter(({ id }) => open.has(id))) {
    it(`${bugCase.id} still fails: ${bugCase.symptom}`, { timeout: caseTimeoutMs }, async () => {
      const { outcome } = await playBugCase(bugCase, timeScale);
      expect(outcome, `${bugCase.id} is met now: take it off known-open.json`).toBe("fail");
    });
  }
});
