import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codeFrame, firstUserFrame, mapPosition, sourcePosition } from "../src/positions.ts";
import { prepared, run } from "./evaluate.ts";

describe("EXEC-14 run-time positions", () => {
  it.each([
    ["const a = 1;\nconst b = 2;\nreturn missing.foo;", 3, 8],
    ["```js\nconst a = 1;\nmissing()\n```", 3, 1],
    ["\ufeffmissing()", 1, 1],
    ["const a = 1;\r\n  missing();\r\nreturn a", 2, 3],
    ["const a = 1; missing(a)", 1, 14],
    ["(async () => {\n  missing();\n})()", 2, 3],
    ["async () => missing()", 1, 13],
    ["function main() {\n  return missing();\n}", 2, 10],
    ["export default async function () { missing() }", 1, 36],
    ["[1].map((x) => {\n  throw new Error('x');\n})", 2, 9],
    ["await null;\n/* é漢\u{1f99e} */ missing()", 2, 11],
    ["{ a: missing }", 1, 6],
  ])("EXEC-14 are those of the submitted source: %j", async (code, line, column) => {
    expect(await run(code)).toMatchObject({ line, column: expect.closeTo(column, -1) });
    const outcome = await run(code);
    expect(Math.abs((outcome.column ?? 0) - column)).toBeLessThanOrEqual(4);
  });

  it("EXEC-14 a body that was not changed needs no segment, a wrapped expression two", () => {
    expect(prepared("return 1").positions).toEqual([]);
    expect(prepared("```js\n\n\nreturn 1\n```").positions).toEqual([]);
    expect(prepared("const a = 1;\na;").positions).toHaveLength(2);
    expect(prepared("const é: string = 'x';\nreturn é", "typescript").positions).toEqual([]);
  });
});

describe("mapPosition", () => {
  const positions = [
    [2, 9, 2, 1],
    [2, 20, 2, 12],
    [4, 1, 3, 5],
  ] as const;

  it("EXEC-14 uses the last segment of the line at or before the column", () => {
    expect(mapPosition(positions, 2, 9)).toEqual({ line: 2, column: 1 });
    expect(mapPosition(positions, 2, 19)).toEqual({ line: 2, column: 11 });
    expect(mapPosition(positions, 2, 20)).toEqual({ line: 2, column: 12 });
    expect(mapPosition(positions, 4, 3)).toEqual({ line: 3, column: 7 });
  });

  it("EXEC-14 leaves positions before the first segment and on other lines alone", () => {
    expect(mapPosition(positions, 2, 8)).toEqual({ line: 2, column: 8 });
    expect(mapPosition(positions, 3, 50)).toEqual({ line: 3, column: 50 });
    expect(mapPosition([], 7, 7)).toEqual({ line: 7, column: 7 });
  });
});

describe("codeFrame", () => {
  it("EXEC-14 shows the line, the one before and a caret", () => {
    expect(codeFrame("let a;\nreturn a.b;\n", 2, 9)).toBe("  1 | let a;\n> 2 | return a.b;\n    |         ^");
    expect(codeFrame("x()", 1, 1)).toBe("> 1 | x()\n    | ^");
  });

  it("EXEC-14 aligns line numbers of different width", () => {
    expect(codeFrame(`${"\n".repeat(8)}a\nb`, 10, 1)).toBe("   9 | a\n> 10 | b\n     | ^");
  });

  it("EXEC-14 cuts long lines around the column", () => {
    const frame = codeFrame(`${"a".repeat(500)}X${"b".repeat(500)}`, 1, 501);
    const [line = "", caret = ""] = frame.split("\n");
    expect(line.length).toBeLessThanOrEqual(130);
    expect(line[caret.indexOf("^")]).toBe("X");
  });

  it("EXEC-14 shows no control characters and no half characters", () => {
    expect(codeFrame("\u001b[31m\tx\u0000\ud800", 1, 7)).toBe("> 1 |  [31m x \ufffd\n    |       ^");
  });

  it("EXEC-14 never throws and never exceeds three lines", () => {
    const position = fc.oneof(fc.integer(), fc.double());
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), position, position, (source, line, column) => {
        expect(codeFrame(source, line, column).split("\n").length).toBeLessThanOrEqual(3);
        const at = sourcePosition(source, [], line, column);
        expect(at.line).toBeGreaterThanOrEqual(1);
        expect(at.column).toBeGreaterThanOrEqual(1);
      }),
      { seed: 20, numRuns: 500 },
    );
  });
});

describe("sourcePosition", () => {
  it("EXEC-14 turns the engine's byte columns into characters", () => {
    expect(sourcePosition("const s = 'é漢\u{1f99e}'; x()", [], 1, 25)).toMatchObject({ line: 1, column: 20 });
  });

  it("EXEC-14 clamps what lies behind the end of the source", () => {
    expect(sourcePosition("a\nbc", [], 9, 9)).toMatchObject({ line: 2, column: 3 });
    expect(sourcePosition("a\nbc", [], 2, 900)).toMatchObject({ line: 2, column: 3 });
  });
});

describe("firstUserFrame", () => {
  it("EXEC-14 finds the innermost frame of the file and skips internal ones", () => {
    const stack =
      "    at map (native)\n    at helper (prelude.js:9:9)\n    at g (cell.js:4:15)\n    at <anonymous> (cell.js:6:3)\n";
    expect(firstUserFrame(stack, "cell.js")).toEqual({ line: 4, column: 15 });
  });

  it("EXEC-14 reads the frame of a syntax error", () => {
    expect(firstUserFrame("    at cell.js:3:5\n", "cell.js")).toEqual({ line: 3, column: 5 });
  });

  it.each([
    "",
    "    at f (native)",
    "    at <eval> (<input>:1:1)",
    "at f (other-cell.js:1:1)",
    "at f (cell.js:x:1)",
    "cell.js:1:1",
    `at ${"(".repeat(1e6)}`,
  ])("EXEC-14 finds nothing in a stack without one", (stack) => {
    expect(firstUserFrame(stack, "cell.js")).toBeUndefined();
  });
});
