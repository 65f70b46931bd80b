import { describe, expect, it } from "vitest";
import { prepared, refused, valueIn } from "./evaluate.ts";

describe("EXEC-13 forms of a whole program", () => {
  it.each([
    ["```js\nreturn 6 * 7;\n```", 42],
    ["```\nreturn 1\n```\n\n", 1],
    ["\n\n  ```JavaScript title=x\r\nreturn 2\r\n```", 2],
    ["~~~js\n3\n~~~", 3],
    ["````js\n/*\n```\n*/\nreturn 4\n````", 4],
    ["```js\n/*\n```\n*/\nreturn '```'\n```", "```"],
    ["```ts\nconst n: number = 4;\nreturn n;\n```", 4],
    ["\ufeff```js\nreturn 5\n```", 5],
  ])("EXEC-13 an outer fence is taken off: %j", async (code, value) => {
    expect(await valueIn(code)).toEqual(value);
  });

  it.each(["```js\nreturn 1\n```\nand then\n```js\nreturn 2\n```", "Here you go:\n```js\nreturn 1\n```"])(
    "EXEC-13 text around a fence is refused with what to send: %j",
    (code) => {
      expect(refused(code).message).toMatch(/only the program: no prose/);
    },
  );

  it("EXEC-13 a program that holds a fence in a comment is not touched", () => {
    const code = "/*\n```js\nreturn 1\n```\n*/\nreturn '```js';";
    expect(prepared(code).body).toBe(code);
  });

  it("EXEC-13 a byte order mark and CRLF are accepted", async () => {
    expect(await valueIn("\ufeffconst a = 1;\r\nconst b = 2;\r\nreturn a + b;\r\n")).toBe(3);
  });

  it.each([
    ["async () => { return 7; }", 7],
    ["async () => 7;", 7],
    ["// helper\n(async () => { return 7; })", 7],
    ["function () { return 7; }", 7],
    ["async function () { return 7; } // done\n;", 7],
    ["(function named() { return typeof named; })", "function"],
    ["'use strict';\n() => { return this === undefined ? 1 : 2; }", 1],
    ["({ a = 1 } = {}) => a", 1],
  ])("EXEC-13 a function expression as whole program is called: %j", async (code, value) => {
    expect(await valueIn(code)).toEqual(value);
    expect(prepared(code).implicitValue).toBe(false);
  });

  it("EXEC-13 a function that is only the last expression is a value, not a program", async () => {
    expect(await valueIn("const n = 1;\n() => n")).toBeUndefined();
  });

  it.each([
    ["export default async function () {\n  return { ok: true };\n}", { ok: true }],
    ["export default async function main() { return 1; }", 1],
    ["const n = 2;\nexport default async () => n;\n", 2],
    ["export default helper;\nasync function helper() { return 3; }", 3],
    ["export default (function () { return 4; });", 4],
    ["export default function main() { return helper(); }\nfunction helper() { return 5; }", 5],
    ["let calls = 0\nexport default function main() { return ++calls }\nmain()", 2],
  ])("EXEC-13 export default of a function is called: %j", async (code, value) => {
    expect(await valueIn(code)).toEqual(value);
  });

  it.each([
    "export default { run() {} }",
    "export default class {}",
    "export default 5",
    "export default function* () {}",
    "export default () => 1;\nexport default () => 2;",
    "export default () => 1;\nconst after = 2;",
    "export default missing;",
    "export default function main() {}\nreturn 1;",
  ])("EXEC-13 EXEC-4 another default export is refused: %j", (code) => {
    expect(refused(code).message).toMatch(/export|already/);
  });

  it.each([
    ["(async () => {\n  return 1;\n})()", 1],
    ["await (async () => 2)();", 2],
    ["(async function () { return 3 }());", 3],
    ["const n = 4;\n(async () => n)()", 4],
  ])("EXEC-13 an async function called in place is awaited: %j", async (code, value) => {
    expect(await valueIn(code)).toEqual(value);
  });

  it("EXEC-13 the value of a whole-program IIFE is explicit: its author wrote return", () => {
    expect(prepared("(async () => { return 1; })()").implicitValue).toBe(false);
    expect(prepared("const n = 1;\n(async () => n)()").implicitValue).toBe(true);
  });

  it.each(["main", "run", "execute"])(
    "EXEC-13 function declarations with one %s are called, with a hint",
    async (name) => {
      const code = `async function ${name}() { return helper() + 1; }\nfunction helper() { return 1; } // end`;
      expect(await valueIn(code)).toBe(2);
      expect(prepared(code).hints.join()).toContain(`return await ${name}()`);
    },
  );

  it.each([
    "function main() { return 1; }\nfunction run() { return 2; }",
    "function other() { return 1; }",
    "function* main() { yield 1; }",
  ])("EXEC-13 declarations without one entry are not called, and a hint says so: %j", async (code) => {
    expect(prepared(code).body).toBe(code);
    expect(prepared(code).hints.join()).toContain("calls none");
  });

  it("EXEC-13 a declared main next to other statements is not called", async () => {
    expect(await valueIn("const n = 1;\nfunction main() { return n; }")).toBeUndefined();
  });

  it.each([
    ["const v = 'ok';\nexport {};\nreturn v;", "ok"],
    ["export {}\n5", 5],
    ["const f = (x) => x\nlet n = 1\nf(2)\nexport {}\n(n)", 1],
  ])("EXEC-13 a lone export {} is dropped: %j", async (code, value) => {
    expect(await valueIn(code)).toEqual(value);
  });

  it.each([
    "async () => 1;\nreturn 2;",
    "if (globalThis.x) { return 1; }\n2",
    "for (const x of [1]) return x;\n(async () => 5)()",
    "function main() { return 1; }\nreturn main();",
    "{ return 1; }",
    "label: { return { a: 1 }; }\n3",
  ])("EXEC-13 a program with a top-level return is never rewritten: %j", (code) => {
    expect(prepared(code)).toMatchObject({ body: code, positions: [], implicitValue: false });
  });

  it("EXEC-13 an interpreter line becomes a comment", async () => {
    expect(await valueIn("#!/usr/bin/env node\nreturn 1")).toBe(1);
  });
});

describe("EXEC-5 the last expression", () => {
  it.each([
    ["1 + 1", 2],
    ["const x = 1\nx + 1 // comment", 2],
    ["const x = 1;\nx; /* a */ ; ;", 1],
    ["1, 2", 2],
    ["await Promise.resolve(3)", 3],
    ["Promise.resolve(4)", 4],
    ["const o = { a: 5 }\no\n.a\n", 5],
    ["let a = 1\n;[6].map((x) => x)[0]", 6],
    ["let i = 0\n++i", 1],
    ["do { } while (false) 7", 7],
    ["main();\nfunction main() { return 8; }", 8],
    ["'just text'", "just text"],
    ["'use strict';\n'a' + 'b'", "ab"],
    ["`a\nb`", "a\nb"],
    ["let x; x = { a: 9 }", { a: 9 }],
    ["(function () { return 10; })()\n// the end", 10],
    ["new (class { n = 11 })().n", 11],
    ["typeof undeclared", "undefined"],
    ["x = 12;\nvar x;", 12],
  ])("EXEC-5 becomes the value: %j", async (code, value) => {
    expect(await valueIn(code)).toEqual(value);
    expect(prepared(code).hints).toEqual([]);
  });

  it.each([
    ["{ ok: true }", { ok: true }],
    ["{ a: 1, 'b': [2] };", { a: 1, b: [2] }],
    ["{}", {}],
    ["/* result */ { a: await 1 }", { a: 1 }],
    ['{"name": "x", "n": 1}', { name: "x", n: 1 }],
  ])("EXEC-5 a lone block that reads as an object literal is that object: %j", async (code, value) => {
    expect(await valueIn(code)).toEqual(value);
  });

  it.each([
    "if (true) { 1 }",
    "for (const x of [1]) x;",
    "try { 1 } finally { 2 }",
    "const x = 1;",
    "{ const a = 1; a }",
    "'use strict'",
    "",
    "// only a comment",
    "class A {}",
  ])("EXEC-5 a program without a last expression is not rewritten: %j", (code) => {
    expect(prepared(code)).toMatchObject({ body: code, positions: [], implicitValue: false });
  });

  it("EXEC-5 marks the value as implicit only when it is one", () => {
    expect(prepared("1 + 1").implicitValue).toBe(true);
    expect(prepared("return 1 + 1").implicitValue).toBe(false);
  });

  it.each([
    ["using x = { [Symbol.dispose]() {} };\nreturn 1", 1],
    ["return new.target === undefined", true],
    ["for await (const x of [1]) return x", 1],
    ["return { ...(null ?? { a: 1 }) }?.a ** 2", 1],
    [
      "const v = { return: 12, function: 4, class: 8 };\nreturn [v?.return / 2 / 3, v?.function / 2 / 1, v?.class / 2 / 1]",
      [2, 2, 4],
    ],
    ["class A { static #p = 1; static { this.q = #p in A; } }\nreturn A.q", true],
    ["return /[\\p{L}--[a]]/v.test('b')", true],
    ["var undefinedLater; return await (async () => undefinedLater ?? arguments.length)()", 0],
  ])("EXEC-5 the newest syntax is left to the engine: %j", async (code, value) => {
    expect(await valueIn(code)).toEqual(value);
  });
});
