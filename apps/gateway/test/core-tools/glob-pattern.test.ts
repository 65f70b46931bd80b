import { expect, it } from "vitest";
import { GlobPattern } from "../../src/core-tools/glob-pattern.ts";

it.each([
  ["*.ts", "a/b/c.ts", true],
  ["*.ts", "a/b/c.tsx", false],
  ["a/*", "a/b", true],
  ["a/*", "a/b/c", false],
  ["a/**", "a/b/c", true],
  ["**/c", "c", true],
  ["**/c", "a/b/c", true],
  ["a/**/c", "a/c", true],
  ["a/**/**/c", "a/x/y/c", true],
  ["a/**/c", "b/c", false],
  ["?", "ab", false],
  ["a*b*c", "a1b2b3c", true],
  ["{a,b{c,d}}.txt", "bd.txt", true],
  ["{a,b{c,d}}.txt", "b.txt", false],
  ["./src//x", "src/x", true],
  ["[a].txt", "[a].txt", true],
])("%s matches %s: %s", (pattern, path, matches) => {
  expect(new GlobPattern(pattern).matches(path)).toBe(matches);
});

it("answers at once for patterns that make others backtrack", () => {
  const hostile = new GlobPattern(`${"*a".repeat(240)}b`);
  expect(hostile.matches("a".repeat(4_000))).toBe(false);
  expect(new GlobPattern(`${"**/".repeat(160)}x`).matches(`${"a/".repeat(1_000)}y`)).toBe(false);
  expect(new GlobPattern("{a,b}".repeat(100)).matches("abab")).toBe(false);
});
