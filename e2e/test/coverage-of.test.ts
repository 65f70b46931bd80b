import { expect, it } from "vitest";
import type { Requirement } from "../requirements.ts";
import { coverageOf, type LocatedTitle } from "../src/coverage-of.ts";
import { describeCoverage } from "../src/describe-coverage.ts";

const table: readonly Requirement[] = [
  { id: "AB-1", area: "AB", title: "first rule" },
  { id: "AB-10", area: "AB", title: "tenth rule" },
  { id: "CD-2", area: "CD", title: "later rule", planned: "5" },
];

function titled(...titles: readonly string[]): readonly LocatedTitle[] {
  return titles.map((title) => ({ title, file: "a.test.ts", active: true }));
}

it("an id that nobody cites is reported by name, and a longer id does not count for a shorter one", () => {
  const coverage = coverageOf(table, titled("AB-10 ends well"));
  expect(coverage.uncited).toEqual(["AB-1"]);
  expect(describeCoverage(coverage).join()).toContain("AB-1");
});

it("a skipped test covers nothing", () => {
  const skipped = [{ title: "AB-1 is skipped", file: "a.test.ts", active: false }];
  expect(coverageOf(table, skipped).uncited).toEqual(["AB-1", "AB-10"]);
});

it("a citation of an unknown id is reported with its place", () => {
  const coverage = coverageOf(table, titled("AB-1 AB-10 hold", "AB-3 is a typing error", "ZZ-1 has no area"));
  expect(coverage.unknown).toEqual(["AB-3 (a.test.ts: AB-3 is a typing error)", "ZZ-1 (a.test.ts: ZZ-1 has no area)"]);
});

it("a title with three ids is refused", () => {
  expect(coverageOf(table, titled("AB-1 AB-10 CD-2 all at once")).crowded).toHaveLength(1);
});

it("a planned id that is cited already is listed and is no fault", () => {
  const coverage = coverageOf(table, titled("AB-1 holds", "AB-10 holds", "CD-2 came early"));
  expect(coverage.early).toEqual(["CD-2"]);
  expect(describeCoverage(coverage)).toEqual([]);
});

it("names of encodings and digests in a sentence are no citations", () => {
  expect(coverageOf(table, titled("AB-1 AB-10 cut at UTF-8 borders, hashed with SHA-256")).unknown).toEqual([]);
});

it("an id in the middle of a title counts when its area is known", () => {
  expect(coverageOf(table, titled("a budget (AB-1) and a cap, AB-10")).uncited).toEqual([]);
});
