import { expect, it } from "vitest";
import { completed } from "../fake-code-mode.ts";
import { judged, observe, outcomeOf } from "../observe.ts";

it("elapsedMsMax is the sum of the calls, allElapsedMsMax the longest one", () => {
  expect(outcomeOf({ elapsedMsMax: 30 }, completed(1), { elapsedMs: [10, 20] })).toBe("pass");
  expect(outcomeOf({ elapsedMsMax: 29 }, completed(1), { elapsedMs: [10, 20] })).toBe("fail");
  expect(outcomeOf({ allElapsedMsMax: 20 }, completed(1), { elapsedMs: [10, 20] })).toBe("pass");
  expect(outcomeOf({ allElapsedMsMax: 19 }, completed(1), { elapsedMs: [10, 20] })).toBe("fail");
});

it("lag and the wait behind a queue are read from what was measured", () => {
  expect(outcomeOf({ parentEventLoopLagMaxMs: 50 }, completed(1), { lagMs: 51 })).toBe("fail");
  expect(outcomeOf({ eventLoopLagMaxMs: 51 }, completed(1), { lagMs: 51 })).toBe("pass");
  expect(outcomeOf({ waitAElapsedMsMax: 9 }, undefined, { facts: { waitAElapsedMs: 8 } })).toBe("pass");
  expect(outcomeOf({ waitAElapsedMsMax: 9 }, undefined)).toBe("fail");
});

it("timeScale stretches every limit", () => {
  expect(judged({ elapsedMsMax: 5 }, observe(completed(1)), 2).outcome).toBe("pass");
});
