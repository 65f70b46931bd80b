import { expect, it } from "vitest";
import { completed, failed, waiting } from "../fake-code-mode.ts";
import { outcomeOf } from "../observe.ts";

it("status and statusOneOf name the kinds that are accepted", () => {
  expect(outcomeOf({ status: "completed" }, completed(1))).toBe("pass");
  expect(outcomeOf({ status: "completed" }, waiting("r"))).toBe("fail");
  expect(outcomeOf({ status: "completed" }, undefined)).toBe("fail");
  expect(outcomeOf({ statusOneOf: ["waiting", "completed"] }, waiting("r"))).toBe("pass");
  expect(outcomeOf({ statusOneOf: ["waiting", "completed"] }, failed("timeout", "late"))).toBe("fail");
});

it("code and reason must be the ones asked for", () => {
  expect(outcomeOf({ code: "timeout" }, failed("timeout", "late"))).toBe("pass");
  expect(outcomeOf({ code: "timeout" }, failed("aborted", "late"))).toBe("fail");
  expect(outcomeOf({ code: "timeout" }, completed(1))).toBe("fail");
  expect(outcomeOf({ reason: "yield" }, waiting("r"))).toBe("pass");
  expect(outcomeOf({ reason: "pending_tools" }, waiting("r"))).toBe("fail");
});

it("allStatus and allStatusIn look at every result and need at least one", () => {
  const results = [completed(1), failed("timeout", "late")];
  expect(outcomeOf({ allStatus: "completed" }, completed(1), { results })).toBe("fail");
  expect(outcomeOf({ allStatus: "completed" }, completed(1))).toBe("pass");
  expect(outcomeOf({ allStatusIn: ["completed", "failed"] }, completed(1), { results })).toBe("pass");
  expect(outcomeOf({ allStatus: "completed" }, undefined)).toBe("fail");
});
