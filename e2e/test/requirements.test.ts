import { globSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { expect, it } from "vitest";
import { requirements } from "../requirements.ts";
import { coverageOf, type LocatedTitle } from "../src/coverage-of.ts";
import { describeCoverage } from "../src/describe-coverage.ts";
import { scanTitles } from "../src/scan-titles.ts";

const root = join(import.meta.dirname, "../..");

function allTitles(): readonly LocatedTitle[] {
  const files = globSync(
    ["packages/*/test/**/*.test.ts", "apps/*/test/**/*.test.ts", "e2e/{test,scenarios}/**/*.test.ts"],
    {
      cwd: root,
      exclude: (name) => name.includes(`${sep}node_modules`),
    },
  );
  return files.flatMap((file) =>
    scanTitles(readFileSync(join(root, file), "utf8")).map((found) => ({ ...found, file })),
  );
}

it("the table holds exactly the ids of the checked-in list, each once and well formed", () => {
  const ids = requirements.map(({ id }) => id);
  const listed = readFileSync(join(root, "e2e/requirement-ids.txt"), "utf8").trim().split("\n");
  expect(ids.toSorted()).toEqual(listed.toSorted());
  expect(new Set(ids).size).toBe(ids.length);
  for (const { id, area, title, planned } of requirements) {
    expect(id).toMatch(/^[A-Z][A-Z0-9]*-[1-9]\d*$/);
    expect(id.startsWith(`${area}-`), id).toBe(true);
    expect(title, id).toMatch(/^\S[^\n]{5,80}$/);
    expect(planned ?? "2", id).toMatch(/^[2-9]$/);
  }
});

it("every requirement that is not planned is cited by a test, and every citation exists", () => {
  const coverage = coverageOf(requirements, allTitles());
  if (coverage.early.length > 0) console.info(`planned but cited, the mark can go: ${coverage.early.join(" ")}`);
  expect(describeCoverage(coverage)).toEqual([]);
});
