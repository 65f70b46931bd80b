import { describe, expect, it } from "vitest";
import { prepared, refused, valueIn } from "./evaluate.ts";

describe("EXEC-4 module access", () => {
  it.each([
    ['import { shell } from "developer";\nreturn 1', 1, 1],
    ["import 'x'", 1, 1],
    ["const a = 1;\nexport const b = a;", 2, 1],
    ["export { a } from 'x'", 1, 1],
    ["export * from 'y'", 1, 1],
    ["const fs = await import('fs');", 1, 18],
    ["return import.meta.url", 1, 8],
    ['const fs = require("fs");\nreturn fs;', 1, 12],
    ["module.exports = () => 1", 1, 1],
    ["exports.run = 1", 1, 1],
    ["importScripts('x')", 1, 1],
    ["function f() {\n  return require;\n}", 2, 10],
    ["const { r = require } = {}", 1, 13],
    ["({ require })", 1, 4],
    ["`${require}`", 1, 4],
    ["{ let exports = 1; }\nexports", 2, 1],
    ["[1].map((module) => module);\nmodule", 2, 1],
    ["r\\u0065quire('fs')", 1, 1],
    ["if (true) { export {} }", 1, 13],
    ["typeof module !== 'undefined' && module.exports", 1, 34],
    ["const A = class require { };\nrequire", 2, 1],
    ["eval; x = { [require]: 1 }", 1, 14],
  ])("EXEC-4 is refused and says what to use: %j", (code, line, column) => {
    const refusal = refused(code);
    expect(refusal).toMatchObject({ line, column });
    expect(refusal.message).toMatch(/tools\.<name>/);
    expect(refusal.message).toMatch(/MCP\.<server>\.<tool>/);
    expect(refusal.message).toMatch(/tools\.search/);
  });

  it("EXEC-4 names the first of several", () => {
    expect(refused("const a = 1;\nrequire('a');\nimport('b');")).toMatchObject({ line: 2, column: 1 });
  });

  it.each([
    [
      "const doc = `call require('fs') or import('x') or import.meta`;\nreturn [/import\\.meta/.test('import.meta'), doc.length];",
      [true, 48],
    ],
    [
      "const api = { import() { return 42; }, require: (x) => x + 1, nested: { import: { meta: 7 } } };\nreturn [api.import(), api.require(1), api.nested.import.meta];",
      [42, 2, 7],
    ],
    ["// import x from 'y'\n/* require('z') */ return 'export default 1'", "export default 1"],
    ["const require = (x) => x; return require(1)", 1],
    ["function module() { return 2 } return module()", 2],
    ["return ((exports) => exports)(3)", 3],
    ["return (({ a: require = 4 } = {}) => require)()", 4],
    ["try { throw 5 } catch (module) { return module }", 5],
    ["for (const exports of [6]) return exports", 6],
    ["if (true) { var require = 7 } return require", 7],
    ["{ function require() { return 8 } } return require()", 8],
    ["class module {} return typeof module", "function"],
    ["return (function require() { return typeof require })()", "function"],
    ["return typeof require", "undefined"],
    ["module: for (;;) { break module } return 9", 9],
    ["return { require: 1, module: 2 }.module", 2],
    ["class A { require() { return 10 } static exports = 1; #module = 2 } return new A().require()", 10],
    ["const { require: r } = { require: 11 }; return r", 11],
    ["const [, ...[module]] = [0, 12]; return module", 12],
    ["return ({ a: 1 }).import?.meta ?? 13", 13],
  ])("EXEC-4 passes the same words elsewhere: %j", async (code, value) => {
    expect(await valueIn(code)).toEqual(value);
  });

  it("EXEC-4 TS-3 type-only imports and exports of TypeScript are dropped", async () => {
    const code = [
      'import type { Foo } from "./types";',
      'import type Bar from "./bar"',
      "export interface Shape { n: number }",
      "export type Alias = Shape;",
      "const x: Foo | Bar | number = 1;",
      "export type { Shape as Other };",
      "return x;",
    ].join("\n");
    expect(await valueIn(code, "typescript")).toBe(1);
    expect(prepared(code, "typescript").positions).toEqual([]);
  });

  it.each([
    ["import { a } from 'x';\nreturn a as number;", 1, 1],
    ["const n: number = 1;\nimport { a, type B } from 'x';\nn", 2, 1],
    ["const n: number = 1;\nexport const m: number = n;\nreturn m;", 2, 1],
    ["import fs = require('fs');\nfs", 1, undefined],
    ["declare function require(name: string): any;\nrequire('fs')", 2, 1],
    ["const x: any = await import('fs');", 1, 22],
  ])("EXEC-4 TS-1 TypeScript has no modules either: %j", (code, line, column) => {
    const refusal = refused(code, "typescript");
    expect(refusal.line).toBe(line);
    if (column !== undefined) expect(refusal.column).toBe(column);
    expect(refusal.message).toMatch(/tools\.<name>/);
  });

  it("EXEC-4 refuses imports of a JavaScript cell that only parses as TypeScript", () => {
    expect(refused("import { a } from 'x';\nconst n: number = 1;\nreturn n;").message).toMatch(
      /`import` is not available/,
    );
  });
});

describe("symbols", () => {
  it.each([
    "return Symbol('a')",
    "Reflect.ownKeys({})",
    "Object.getOwnPropertySymbols({})",
    "return S\\u0079mbol.iterator",
    "x.\\u{53}ymbol",
  ])("OUT-3 a program that may hold symbols is marked: %j", (code) => {
    expect(prepared(code).mayHoldSymbols).toBe(true);
  });

  it.each(["return 1", "return '\\u2028'", "const é = 1; return é"])("OUT-3 others are not: %j", (code) => {
    expect(prepared(code).mayHoldSymbols).toBe(false);
  });
});
