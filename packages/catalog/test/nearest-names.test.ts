import { nearestNames } from "@code-mode/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nearestOf, suggestion } from "../src/nearest-names.ts";

describe("nearestOf", () => {
  it("finds what comparing every name would find", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b", "c", "_"), maxLength: 8 });
    fc.assert(
      fc.property(word, fc.array(word), (wanted, known) => {
        expect(nearestOf(wanted, known)).toEqual(nearestNames(wanted, known));
      }),
      { seed: 20_261_201, numRuns: 300 },
    );
  });

  it("does not look for names longer than any that exists", () => {
    expect(nearestOf(`read${"x".repeat(1_000_000)}`, ["read"])).toEqual([]);
  });

  it("words a suggestion only when there is one", () => {
    expect(suggestion(["a", "b"])).toBe(" Did you mean a, b?");
    expect(suggestion([])).toBe("");
  });
});
