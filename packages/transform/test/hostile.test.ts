import { describe, expect, it } from "vitest";
import { prepared, refused, valueIn } from "./evaluate.ts";

const size = 262_144;
const fill = (unit: string): string => unit.repeat(Math.floor(size / unit.length));
const numbered = (unit: (index: number) => string): string => {
  let text = "";
  for (let index = 0; text.length < size; index++) text += unit(index);
  return text;
};

describe("SEC-1 nesting", () => {
  it.each([
    ["(", ")"],
    ["[", "]"],
    ["{", "}"],
    ["`${", "}`"],
    ["function f(){", "}"],
  ])("SEC-1 500 levels of %s pass and one more is refused", (open, close) => {
    const levels = 500;
    const make = (count: number): string =>
      `return ${open.repeat(count)}${close === "}`" ? "1" : ""}${close.repeat(count)}`;
    if (open === "[" || open === "`${") expect(prepared(make(levels)).body).toBe(make(levels));
    const deep = make(levels + 1);
    expect(refused(deep).message).toMatch(/more than 500 levels/);
    expect(refused(deep, "typescript").message).toMatch(/more than 500 levels/);
  });

  it("SEC-1 brackets in strings, comments, templates and regular expressions do not count", () => {
    const lines = [
      `const s = "${"(".repeat(600)}";`,
      `// ${"[".repeat(600)}`,
      `/* ${"{".repeat(600)} */`,
      `const t = \`${"(".repeat(600)}\`;`,
      ...Array.from(
        { length: 600 },
        (_, index) =>
          `const r${index} = s.match(/[(]/) ?? /\\(["'\`]/.test(s); let d${index} = s.length / 2 / (1 + 1), i${index} = d${index}++ / 2;`,
      ),
      "return [r599, i599];",
    ];
    expect(prepared(lines.join("\n")).body).toBe(lines.join("\n"));
  });

  it("SEC-1 trees that are deep without brackets are refused or pass, never crash", async () => {
    for (const code of [
      `${fill("!")}1`,
      fill("a=>"),
      `${fill("a?b:")}1`,
      `${fill("if(a)b;else ")}c`,
      `${fill("-+")}1`,
      `a${fill("**a")}`,
      numbered((i) => `a${i}:`),
    ]) {
      for (const language of ["javascript", "typescript"] as const) {
        try {
          prepared(code, language);
        } catch (error) {
          expect(error).toMatchObject({ code: "invalid_input" });
        }
      }
    }
    expect(await valueIn("const a: number = 1;\nenum E { X }\nreturn a", "typescript")).toBe(1);
  });

  it("SEC-1 casts nested beyond what the compiler can undo are refused", () => {
    const nested = (count: number): string => `return ${"<T>(".repeat(count)}1${")".repeat(count)}`;
    expect(prepared(nested(12), "typescript").body).toContain("return");
    expect(refused(nested(13), "typescript").message).toMatch(/casts are nested more than 12/);
    expect(refused(nested(5000), "typescript").message).toMatch(/nested more than/);
  });
});

describe("SEC-1 size", () => {
  it.each([
    ["declarations", numbered((i) => `let a${i};`)],
    ["comment openers", fill("/*")],
    ["regular expression openers", fill("=/[")],
    ["unclosed templates", fill("`${")],
    ["type imports", `${fill('import type a from "a";')}\nreturn 1`],
    ["scattered type imports", `${fill('import type a from "a";let b:c;')}\nreturn 1`],
    ["casts on one line", fill("x=<T>y;")],
    ["decorators", fill("@a class b{}")],
    ["empty exports", fill("export {};")],
    ["blank text", fill(" ")],
    ["a fence of blank lines", `\`\`\`js\n${fill(" \n")}\`\`\``],
    ["characters of several bytes", fill("let é:'漢';")],
  ])("SEC-1 a quarter mebibyte of %s ends", (_name, code) => {
    for (const language of ["javascript", "typescript"] as const) {
      try {
        expect(prepared(code, language).positions.length).toBeLessThanOrEqual(20_000);
      } catch (error) {
        expect(error).toMatchObject({ code: "invalid_input" });
      }
    }
  });

  it("TS-1 a long line of data is stripped in place", async () => {
    const rows = '{"id":1,"name":"x,;{y"},'.repeat(8000);
    const code = `const rows: { id: number }[] = [${rows}];\nconst n: number = rows.length;\nreturn n;`;
    const { body, positions } = prepared(code, "typescript");
    expect(body).toBe(code.replace(": { id: number }[]", " ".repeat(18)).replace(": number", " ".repeat(8)));
    expect(positions).toEqual([]);
    expect(refused(code.replace("return n", "return n as"), "typescript")).toMatchObject({ line: 3, column: 12 });
  });
});

describe("SEC-1 break-out", () => {
  it.each([
    "}); evil(); (async () => {",
    "}}); evil(); ({async f(){",
    "} evil(); async function g() {",
    "*/ evil() /*",
    "`}); evil(); `${{",
  ])("SEC-1 the function around a program cannot be closed from inside: %j", (code) => {
    expect(refused(code).message).toMatch(/^SyntaxError/);
    expect(refused(code, "typescript").message).toMatch(/^SyntaxError/);
  });
});
