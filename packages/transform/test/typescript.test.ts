import { describe, expect, it } from "vitest";
import { prepared, refused, run, valueIn } from "./evaluate.ts";

describe("TS-3 TypeScript syntax", () => {
  it.each([
    ["const a: number = 1; return a;", 1],
    [
      "interface A { n: number }\ntype B = A & { m?: string };\nconst v = { n: 2 } satisfies B as const;\nreturn v.n!;",
      2,
    ],
    [
      "const id = <T>(x: T): T => x;\nconst len = <T extends { length: number }>(x: T) => x.length;\nreturn id(len('abc'));",
      3,
    ],
    ["const raw = <unknown>'5';\nconst n = <number>raw;\nreturn typeof n;", "string"],
    ["enum Color { Red, Green = 'g' }\nreturn [Color.Red, Color[0], Color.Green];", [0, "Red", "g"]],
    ["const enum E { A = 3 }\nreturn E.A;", 3],
    [
      "declare const q: number;\ndeclare module 'x' {}\nabstract class A { abstract n: number; m = 1 }\nreturn new (class extends A { n = 5 })().m;",
      1,
    ],
    [
      "namespace Geo { export const R = 2; export function area(k: number) { return k * R; } }\nclass P { constructor(private readonly x: number, public y = 4) {} sum() { return this.x + this.y; } }\nreturn [Geo.area(3), new P(1).sum(), new P(1).y];",
      [6, 5, 4],
    ],
    ["namespace A.B { export const c = 1 }\nimport b = A.B;\nreturn b.c;", 1],
    ["namespace A { export const c = 2 }\nimport c = A.c;\nc", 2],
    ["function f(this: void, a?: number, ...rest: string[]): a is 1 { return true }\nreturn f(1)", true],
    ["function o(a: string): void;\nfunction o(a: unknown) { return a }\nreturn o('x')", "x"],
    ["const v: string = await Promise.resolve<string>('v');\nv", "v"],
    ["const f = <T,>(x: T) => x; f<number>(1)", 1],
    [
      "class A { declare n: number; private m?: string = 'm'; get k(): string { return this.m! } static readonly s = 1 as const }\nnew A().k",
      "m",
    ],
    ["const n: number = 'x' as any;\nconst m: number = 'y';\nreturn [n, m];", ["x", "y"]],
    [
      "const s: string = 'let x: number = 1; // as string';\nconst t = `<T>(${s.length as number}) satisfies`;\nreturn [s, t];",
      ["let x: number = 1; // as string", "<T>(31) satisfies"],
    ],
    ["const x = (a: number\n): string => 'r' + a;\nreturn x(1)", "r1"],
    ["let a = 1\ntype T = number\n;(a as T)", 1],
    ["let a = 1\ndeclare const b: 2;[a]", [1]],
    ["let a = 1\nexport type T = number; /* c */ `x`", "x"],
    ["let a = 1\ninterface T { a: 1; }\n(a)", 1],
    ["const m = new Map<string, { n: number; }>([['k', { n: 3 }]])\nm.get('k')!.n", 3],
    ["class A { x = 1\n declare y: 2;['z'] = 3 }\nreturn [new A().x, new A().z]", [1, 3]],
    ["async (x?: number): Promise<number> => x ?? 6", 6],
    ["export default async function main(): Promise<number> { return 7 }", 7],
    ["enum A { B = 8 }\nexport default (): number => A.B", 8],
    ["async function main(n: number = 9): Promise<number> { return n }", 9],
    ["type T = 1;\n{ ok: true as boolean }", { ok: true }],
    ["'use strict';\nenum A { B }\nreturn (function () { return this === undefined })()", true],
    ["const v: number = 1;\nexport {};\nreturn v;", 1],
    ["let v: number | undefined\nv = 3\n", 3],
    ["using d: Disposable = { [Symbol.dispose]() {} };\nreturn 1", 1],
  ])("TS-3 works: %j", async (code, value) => {
    expect(await valueIn(code, "typescript")).toEqual(value);
  });

  it("TS-3 decorators are lowered and run", async () => {
    const code = [
      "const seen: string[] = [];",
      "function log(v: any, ctx: { name: string | symbol }) { seen.push(String(ctx.name)); return v; }",
      "@log",
      "class A { @log go() { return 2; } @log static n: number = 3; @log accessor size = 4; }",
      "enum E { X = 5 }",
      "return [new A().go(), A.n, new A().size, E.X, seen.sort(), await Promise.resolve(6)];",
    ].join("\n");
    expect(await valueIn(code, "typescript")).toEqual([2, 3, 4, 5, ["A", "go", "n", "size"], 6]);
  });

  it.each([
    ["class A {\n  constructor(@inject x: number) {}\n}", 2, 15],
    ["function d(v: any) {}\n@d function f() {}", 2, 1],
  ])("TS-3 a decorator that would be dropped is refused with its place: %j", (code, line, column) => {
    expect(refused(code, "typescript")).toMatchObject({
      line,
      column,
      message: expect.stringMatching(/decorators are only supported on classes/),
    });
  });

  it("TS-1 a type mismatch does not stop the program", async () => {
    expect(await valueIn("const n: string = 5;\nreturn n", "typescript")).toBe(5);
  });

  it("TS-3 generic calls are calls, not comparisons", async () => {
    expect(await valueIn("function f<T>(x: T) { return x }\nreturn f<number>(7)", "typescript")).toBe(7);
  });
});

describe("TS-1 diagnostics", () => {
  it.each([
    ["await tools.x();\nconst x: = 3;\nreturn x;", 2, 10],
    ["enum A { B }\nconst x: = 3;", 2, 10],
    ["/* \u{1f99e}é漢 */ const x: = 3;", 1, 21],
    ["const a: number = 1;\nconst b = [1, 2;\n", 2, 16],
    ["const a: number = 1;\nfoo(\n", 3, 1],
    ["function f(): void { await g(); }", 1, 22],
    ["const r: number = 1;\nlet a; let a;\nreturn", 2, 12],
    ["type A = ", 1, 10],
    ["}; evil(); async function g() {", 1, 1],
    ["const a: number = 1;\n} evil(); async function g() { enum A {}", 2, 1],
    ["@d class A { x: }", 1, 17],
    ["const a: string = 'x;\nreturn a", 1, 19],
  ])("TS-1 come with the place in the submitted source: %j", (code, line, column) => {
    expect(refused(code, "typescript")).toMatchObject({ line, column });
  });

  it("TS-1 the message says what was unexpected", () => {
    expect(refused("const x: = 3;", "typescript").message).toMatch(/^SyntaxError: .*`=`/);
    expect(refused("function f(): void { await g(); }", "typescript").message).toMatch(/async/);
  });
});

describe("TS-4 JavaScript cells that are TypeScript", () => {
  it("TS-4 run as TypeScript, with a hint", async () => {
    const code = "const n: number = 5;\nreturn n;";
    expect(await valueIn(code)).toBe(5);
    expect(prepared(code).hints.join()).toMatch(/language: "typescript"/);
  });

  it("TS-4 stay JavaScript when the text is valid in both", async () => {
    const code = "let f = 1, number = 2, x = 3;\nreturn f<number>(x)";
    expect(await valueIn(code)).toBe(false);
    expect(prepared(code).hints).toEqual([]);
  });

  it("TS-4 report the JavaScript error when both fail", () => {
    expect(refused("let x = ;\nlet y: = 1;")).toMatchObject({
      line: 1,
      column: 9,
      message: "SyntaxError: unexpected `;`",
    });
  });

  it("TS-4 are not tried when TypeScript is disabled", () => {
    expect(refused("const n: number = 5;", "javascript", false)).toMatchObject({ line: 1, column: 8 });
    expect(refused("```ts\nconst n: number = 5;\n```", "javascript", false)).toMatchObject({ line: 2, column: 8 });
  });

  it("TS-4 EXEC-13 a fence tagged ts says that the program is TypeScript", async () => {
    const code = "```ts\nfunction f(x) { return x }\nreturn f<number>(7)\n```";
    expect(await valueIn(code)).toBe(7);
  });
});

describe("EXEC-14 run-time positions of TypeScript", () => {
  it.each([
    ["interface A {\n  a: number;\n}\ntype B = A;\nconst v: B | null = null;\nreturn (v as unknown as A).a;", 6, 9],
    ["enum A { B }\n\nconst v: { x: number } | null = null;\nreturn v.x;", 4, 9],
    ["class P { constructor(private x: number) {} }\nconst f = (n: any) => {\n  return n.a.b;\n};\nf(new P(1))", 3, 10],
    ["const a: 'é\u{1f99e}漢' = null!; const b: any = null; b.c", 1, 48],
    ["enum A { B } const s = 'é\u{1f99e}漢'; const b: any = null; b.c", 1, 53],
    [
      "function d(v: any, c: any) { return v }\n@d class A {\n  m() {\n    const n: any = null; return n.x;\n  }\n}\nnew A().m()",
      4,
      33,
    ],
    ["let n: any = null\nasync function main(): Promise<void> {\n  await 1;\n  n.x;\n}\nawait main()", 4, 3],
    ["const x = <any>null;\n[1].forEach((i: number) => { x.y; });", 2, 31],
  ])("EXEC-14 are those of the submitted source: %j", async (code, line, column) => {
    const outcome = await run(code, "typescript");
    expect(outcome.error).toMatch(/TypeError/);
    expect(outcome.line).toBe(line);
    expect(Math.abs((outcome.column ?? 0) - column)).toBeLessThanOrEqual(2);
  });
});
