import { expect, it } from "vitest";
import { judge } from "../src/index.ts";
import { completed, failed, waiting } from "./fake-code-mode.ts";
import { judged, observe, outcomeOf } from "./observe.ts";

const graded = { best: { value: 7 }, min: { value: null, hintMatches: "return" }, toolCalls: { add: 0 } };

it("best and min grade a result, anything else fails with the problems of both", () => {
  expect(outcomeOf(graded, completed(7))).toBe("best");
  expect(outcomeOf(graded, completed(null, { hint: "return it" }))).toBe("min");
  const report = judged(graded, observe(completed(8)));
  expect(report.outcome).toBe("fail");
  expect(report.problems.join()).toContain("nor min: value");
});

it("what stands beside best and min must hold in any case", () => {
  expect(outcomeOf(graded, completed(7), { calls: [{ tool: "add", input: {} }] })).toBe("fail");
});

it("a best without min that does not hold leaves a pass", () => {
  const expected = { status: "failed", best: { messageMatches: "await" } };
  expect(outcomeOf(expected, failed("guest_error", "add await"))).toBe("best");
  expect(outcomeOf(expected, failed("guest_error", "undefined"))).toBe("pass");
});

it("of oneOf one must hold; a remark or an expectation that nobody sees does not", () => {
  const expected = { oneOf: [{ status: "completed" }, { status: "failed", messageMatches: "timer" }] };
  expect(outcomeOf(expected, failed("guest_error", "too many timers"))).toBe("pass");
  expect(outcomeOf(expected, waiting("r"))).toBe("fail");
  expect(outcomeOf({ oneOf: [{ note: "anything documented" }] }, completed(1))).toBe("fail");
  expect(outcomeOf({ oneOf: [{ status: "failed", ledgerMatchesReport: true }] }, failed("timeout", "x"))).toBe("fail");
});

it("steps are judged one by one, and a step that did not take place fails", () => {
  const steps = [observe(waiting("r")), observe(completed(1))];
  const whole = observe(completed(1));
  const evidence = { whole, steps, timeScale: 1 };
  expect(judge({ steps: [{ status: "waiting" }, { value: 1 }] }, evidence).outcome).toBe("pass");
  expect(judge({ steps: [{ status: "waiting" }, { value: 2 }] }, evidence).problems[0]).toMatch(/^step 1: value/);
  expect(judge({ steps: [{}, {}, { value: 1 }] }, evidence).problems).toEqual(["step 2 did not take place"]);
});

it("best and min may hold whole lists of steps", () => {
  const expected = { best: { steps: [{ status: "completed" }] }, min: { steps: [{ code: "timeout" }] } };
  expect(outcomeOf(expected, failed("timeout", "late"))).toBe("min");
});

it("eventually is judged on the last result", () => {
  expect(outcomeOf({ eventually: { status: "completed", value: 9 } }, completed(9))).toBe("pass");
  expect(outcomeOf({ eventually: { status: "completed" } }, waiting("r"))).toBe("fail");
});

it("an expectation about the gateway makes a case planned, unless the rest fails already", () => {
  expect(outcomeOf({ status: "completed", exportContains: "x" }, completed(1))).toBe("planned");
  expect(outcomeOf({ status: "completed", exportContains: "x" }, waiting("r"))).toBe("fail");
});

it("what no result shows is listed as unchecked", () => {
  expect(judged({ status: "completed", workerStarted: false }, observe(completed(1)))).toEqual({
    outcome: "pass",
    problems: [],
    unchecked: ["workerStarted"],
  });
});

it("a word outside the vocabulary is an error, not a pass", () => {
  expect(() => judged({ statuss: "completed" }, observe(completed(1)))).toThrow("expected.statuss");
});
