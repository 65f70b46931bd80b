import { afterAll, describe, expect, it } from "vitest";
import { createCodeMode } from "../src/index.ts";
import { basicTools, completedValue, createRuntime, failureOf } from "./support.ts";

const codeMode = createRuntime();
afterAll(() => codeMode[Symbol.asyncDispose]());

const run = async (code: string, language = "javascript") => codeMode.exec({ code, language });

describe("exec input", () => {
  it("EXEC-1 one of code and command is needed, and both must agree", async () => {
    expect(completedValue(await codeMode.exec({ command: "return 1" }))).toBe(1);
    expect(completedValue(await codeMode.exec({ code: "return 2", command: "return 2" }))).toBe(2);
    expect(completedValue(await codeMode.exec({ code: "return 3", command: "  " }))).toBe(3);
    for (const input of [
      {},
      { code: "  " },
      { code: "return 1", command: "return 2" },
      { code: 1 },
      "return 1",
      null,
      [],
      { code: "1", extra: true },
      { code: "1", restartSafe: "yes" },
    ])
      expect(failureOf(await codeMode.exec(input)).code).toBe("invalid_input");
  });

  it("EXEC-2 an unknown or disabled language is refused and the enabled ones are named", async () => {
    const failed = failureOf(await codeMode.exec({ code: "print(1)", language: "python" }));
    expect(failed).toMatchObject({ code: "invalid_input" });
    expect(failed.error).toMatch(/javascript, typescript/);
    await using only = createCodeMode({ tools: basicTools(), config: { languages: ["javascript"] } });
    expect(failureOf(await only.exec({ code: "const a: number = 1", language: "typescript" })).error).toMatch(
      /disabled.*javascript/,
    );
  });

  it("EXEC-3 TypeScript is transformed before it runs", async () => {
    expect(
      completedValue(await run("enum E { A = 4 } const x: number = E.A; return x satisfies number;", "typescript")),
    ).toBe(4);
  });

  it("EXEC-4 module syntax is refused before any call, and lookalikes pass", async () => {
    for (const code of [
      'import x from "y"; return 1',
      'return await import("x")',
      "return import.meta.url",
      'const fs = require("fs")',
      "module.exports = 1",
      "exports.x = 1",
      'importScripts("x")',
    ])
      expect(failureOf(await run(`tools.echo({});\n${code}`)), code).toMatchObject({
        code: "invalid_input",
        telemetry: { calls: { completed: 0, pending: 0 } },
      });
    expect(
      completedValue(
        await run(
          'const o = { import: 1, require: (x) => x }; return [o.import, o.require("import(x)"), /require/.test("require")]',
        ),
      ),
    ).toEqual([1, "import(x)", true]);
  });

  it("ERR-2 source over maxSourceBytes is invalid input, and source of exactly that size runs", async () => {
    await using small = createCodeMode({ tools: basicTools(), config: { maxSourceBytes: 1024 } });
    const source = (bytes: number) => `return 1//${"x".repeat(bytes - 10)}`;
    expect(completedValue(await small.exec({ code: source(1024) }))).toBe(1);
    expect(failureOf(await small.exec({ code: source(1025) }))).toMatchObject({
      code: "invalid_input",
      details: { bytes: 1025, limit: 1024 },
    });
  });
});

describe("values", () => {
  it("EXEC-5 return, top-level await, last expression and no value", async () => {
    expect(completedValue(await run("const x = await Promise.resolve(2); return x + 1"))).toBe(3);
    expect(completedValue(await run("const x = 2; x * 3"))).toBe(6);
    expect(completedValue(await run("Promise.resolve(5)"))).toBe(5);
    expect(completedValue(await run("const x = 2;"))).toBeNull();
    expect(completedValue(await run("return undefined"))).toBeNull();
  });

  it("EXEC-5 an implicit value over the budget is dropped with a note, never a failure", async () => {
    await using small = createCodeMode({ tools: basicTools(), config: { maxOutputBytes: 1024 } });
    const result = await small.exec({ code: '"x".repeat(5000)' });
    expect(result).toMatchObject({ status: "completed", value: null });
    expect(JSON.stringify(result.output)).toMatch(/dropped/);
  });

  it("EXEC-8 a result has exactly the keys of its kind", async () => {
    expect(Object.keys(await run("return 1")).sort()).toEqual(["status", "telemetry", "value"]);
    expect(Object.keys(await run("throw new Error('x')")).sort()).toEqual([
      "code",
      "error",
      "position",
      "status",
      "telemetry",
    ]);
  });

  it("EXEC-9 a cell completes only when nothing is pending", async () => {
    const result = await run("tools.echo({}).then(() => text('late')); return 'now'");
    expect(result).toMatchObject({
      status: "completed",
      value: "now",
      output: [{ type: "text", text: "late" }],
      telemetry: { calls: { completed: 1, pending: 0 } },
    });
  });

  it("EXEC-10 sequential and parallel calls drain inside one exec", async () => {
    const code =
      "let n = 0; for (let i = 0; i < 30; i++) n = (await tools.add({ a: n, b: 1 })).sum; const all = await Promise.all([1,2,3].map((b) => tools.add({ a: n, b }))); return all.map((r) => r.sum)";
    expect(await run(code)).toMatchObject({
      status: "completed",
      value: [31, 32, 33],
      telemetry: { callCount: expect.any(Number), calls: { completed: 33 } },
    });
  });

  it("EXEC-10 a cell that can never settle fails at once and says so", async () => {
    expect(failureOf(await run("await new Promise(() => {})"))).toMatchObject({
      code: "guest_error",
      error: expect.stringMatching(/never settles/),
    });
  });

  it("EXEC-12 an unhandled rejection fails the cell, a late handled one does not", async () => {
    expect(failureOf(await run("tools.fail({ message: 'lost' }); return 'done'")).error).toMatch(/lost/);
    expect(
      completedValue(
        await run(
          "const p = tools.fail({ message: 'late' }); await tools.echo({}); try { await p } catch (e) { return e.message }",
        ),
      ),
    ).toBe("late");
  });

  it("EXEC-12 promises in the value are awaited to depth 3, deeper ones are named by path", async () => {
    expect(completedValue(await run("return { files: [1, 2].map((n) => tools.echo({ n })) }"))).toEqual({
      files: [{ n: 1 }, { n: 2 }],
    });
    const deep = await run("return { a: { b: { c: { d: Promise.resolve(1) } } } }");
    expect(deep).toMatchObject({
      status: "completed",
      value: { a: { b: { c: { d: "[Promise at value.a.b.c.d: await it]" } } } },
      hint: expect.stringMatching(/await/),
    });
    expect(failureOf(await run("return { a: Promise.reject(new Error('inner')) }")).error).toMatch(/inner/);
  });

  it("EXEC-13 fences, functions, IIFEs and a lone main are whole programs", async () => {
    const programs = [
      "```js\nreturn 6 * 7;\n```",
      "async () => 42",
      "export default async function () { return 42 }",
      "(async () => { return 42 })()",
      "async function main() { return 42 }",
      "\ufeffreturn 42;\r\n",
      "export {};\nreturn 42",
    ];
    for (const code of programs) expect(completedValue(await run(code)), code).toBe(42);
  });

  it("EXEC-13 shell and Python are refused with the right idiom", async () => {
    expect(failureOf(await run("ls -la /tmp && pwd"))).toMatchObject({
      code: "invalid_input",
      error: expect.stringMatching(/shell/i),
    });
    expect(failureOf(await run("for x in rows:\n    print(x)"))).toMatchObject({
      code: "invalid_input",
      error: expect.stringMatching(/Python/i),
    });
  });

  it("EXEC-14 errors carry line, column and a frame of the submitted source, in callbacks too", async () => {
    const thrown = failureOf(await run("const a = 1;\nconst b = 2;\nreturn missingThing.foo;"));
    expect(thrown).toMatchObject({
      code: "guest_error",
      error: expect.stringMatching(/ReferenceError: missingThing is not defined/),
      position: { line: 3, column: 8 },
    });
    expect(thrown.position?.frame.split("\n").length).toBeLessThanOrEqual(3);
    expect(thrown.position?.frame).not.toMatch(/prelude|async f/);
    expect(failureOf(await run("\n[1].map((x) => {\n  throw new RangeError('cb');\n});")).position).toMatchObject({
      line: 3,
    });
    expect(failureOf(await run("const x = ;"))).toMatchObject({
      code: "invalid_input",
      position: { line: 1, column: 11 },
    });
    expect(
      failureOf(
        await run(
          "interface A { a: number }\ntype B = A;\nconst v: B | null = null;\nreturn (v as unknown as B).a;",
          "typescript",
        ),
      ).position,
    ).toMatchObject({ line: 4 });
  });

  it("ERR-1 a nested failure that nobody catches is tool_error with its facts", async () => {
    expect(failureOf(await run("\nawait tools.fail({ message: 'broken' })"))).toMatchObject({
      code: "tool_error",
      error: expect.stringMatching(/TypeError: broken/),
      details: { code: "E_TEST", toolId: "openclaw:core:fail", details: { hint: "none" } },
      position: { line: 2 },
    });
  });
});

describe("TypeScript", () => {
  it("TS-1 a type error is no error, a syntax error has line and column", async () => {
    expect(
      completedValue(await run('const n: number = "x" as any; const m: number = "y"; return [n, m]', "typescript")),
    ).toEqual(["x", "y"]);
    expect(failureOf(await run("const a = 1;\nconst x: = 3;", "typescript"))).toMatchObject({
      code: "invalid_input",
      position: { line: 2 },
    });
  });

  it("TS-3 enums, namespaces, parameter properties and generics work", async () => {
    const code =
      "namespace G { export const R = 2 }\nclass P { constructor(private readonly x: number, public y = 4) {} sum() { return this.x + this.y } }\nconst id = <T,>(v: T): T => v;\nreturn [G.R, new P(1).sum(), id(7)] as const;";
    expect(completedValue(await run(code, "typescript"))).toEqual([2, 5, 7]);
  });

  it("TS-4 types in a cell sent as JavaScript run with a hint, and broken text keeps the JavaScript error", async () => {
    expect(await run("const n: number = 4; return n")).toMatchObject({
      status: "completed",
      value: 4,
      hint: expect.stringMatching(/TypeScript/i),
    });
    expect(failureOf(await run("const = ;")).code).toBe("invalid_input");
  });
});
