import { expect, it } from "vitest";
import { completed, failed } from "../fake-code-mode.ts";
import { outcomeOf } from "../observe.ts";

it("value is equal as JSON, whatever the order of the keys", () => {
  expect(outcomeOf({ value: { a: 1, b: [null] } }, completed({ b: [null], a: 1 }))).toBe("pass");
  expect(outcomeOf({ value: { a: 1 } }, completed({ a: 1, b: 2 }))).toBe("fail");
  expect(outcomeOf({ value: null }, failed("timeout", "late"))).toBe("fail");
});

it("valueOneOf takes values and patterns", () => {
  const expected = { valueOneOf: [20_000_000, "~matches: (limit|bytes)"] };
  expect(outcomeOf(expected, completed("over the limit of 1 MiB"))).toBe("pass");
  expect(outcomeOf(expected, completed(20_000_000))).toBe("pass");
  expect(outcomeOf(expected, completed("something else"))).toBe("fail");
});

it("valueSubset asks for some members only, at any depth", () => {
  const expected = { valueSubset: { ok: false, error: { name: "TypeError" } } };
  expect(outcomeOf(expected, completed({ ok: false, error: { name: "TypeError", message: "bad" }, more: 1 }))).toBe(
    "pass",
  );
  expect(outcomeOf(expected, completed({ ok: false, error: {} }))).toBe("fail");
});

it("valueMatches reads a string bare or quoted and anything else as JSON", () => {
  expect(outcomeOf({ valueMatches: "^echo" }, completed("echo it"))).toBe("pass");
  expect(outcomeOf({ valueTextMatches: '"n":1' }, completed({ n: 1 }))).toBe("pass");
  expect(outcomeOf({ valueTextMatches: "Circular" }, completed({ n: 1 }))).toBe("fail");
});

it("valueLength, valueRange and valueTextMax include their bounds", () => {
  expect(outcomeOf({ valueLength: 2 }, completed([1, 2]))).toBe("pass");
  expect(outcomeOf({ valueLength: 2 }, completed({ length: 2 }))).toBe("fail");
  expect(outcomeOf({ valueRange: [5, 6] }, completed(6))).toBe("pass");
  expect(outcomeOf({ valueRange: [5, 6] }, completed(7))).toBe("fail");
  expect(outcomeOf({ valueTextMax: 3 }, completed("a"))).toBe("pass");
  expect(outcomeOf({ valueTextMax: 3 }, completed("ab"))).toBe("fail");
});

it("valuesDiffer needs at least two values, all of them different and none missing", () => {
  expect(outcomeOf({ valuesDiffer: true }, undefined, { facts: { values: [0.1, 0.2] } })).toBe("pass");
  expect(outcomeOf({ valuesDiffer: true }, undefined, { facts: { values: [0.1, 0.1] } })).toBe("fail");
  expect(outcomeOf({ valuesDiffer: true }, undefined, { facts: { values: [null, 0.1] } })).toBe("fail");
  expect(outcomeOf({ valuesDiffer: true }, undefined)).toBe("fail");
});
