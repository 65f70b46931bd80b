import { expect, it } from "vitest";
import { scanTitles } from "../src/scan-titles.ts";

function titlesOf(source: string): readonly string[] {
  return scanTitles(source).map(({ title }) => title);
}

it("finds string and template titles of it and test, over several lines too", () => {
  expect(titlesOf('it("one", f); test(\n  \'two\',\n  f); it(`three ${"x"} \\` end`, f)')).toEqual([
    "one",
    "two",
    'three ${"x"} ` end',
  ]);
});

it("finds the titles of table tests, not the strings of their tables", () => {
  expect(titlesOf('it.each([["a)", "b"], ["c"]])("table %s", f); test.for(rows("r"))("second", f)')).toEqual([
    "table %s",
    "second",
  ]);
  expect(titlesOf('it.each(["a"])("table", f)')).toEqual(["table"]);
});

it("does not count comments, strings that look like code, or other calls", () => {
  const source =
    '// it("no")\n/* it("no") */ const s = "it(\\"no\\")"; submit("no"); a.it("no"); visit("no"); describe("no", f)';
  expect(titlesOf(source)).toEqual([]);
});

it("is not misled by regular expressions, divisions and nested templates", () => {
  const source = 'const r = /["\'`]it\\(/; const h = a / b / c; const t = `x ${y ? `"` : "`"} /* `; it("found", f)';
  expect(titlesOf(source)).toEqual(["found"]);
});

it("marks skipped and unwritten tests as inactive", () => {
  const found = scanTitles('it.skip("a", f); it.todo("b"); it.skipIf(x)("c", f); it("d", f); test.concurrent("e", f)');
  expect(found.map(({ title, active }) => `${title}:${active}`)).toEqual([
    "a:false",
    "b:false",
    "c:false",
    "d:true",
    "e:true",
  ]);
});
