import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { prepared } from "./evaluate.ts";

const name = fc.constantFrom("a", "b", "main", "run", "value", "имя", "$x");
const expression: fc.Arbitrary<string> = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom(
      "1",
      "'text'",
      "`t\n${1}`",
      "/[(]/g.source",
      "null",
      "{}.x ?? 2".replace("{}", "({})"),
      "x?.return / 2",
    ),
    fc.tuple(tie("expression"), tie("expression")).map(([a, b]) => `(${a} + ${b})`),
    fc.array(tie("expression"), { maxLength: 3 }).map((items) => `[${items.join(", ")}]`),
    tie("expression").map((inner) => `(async () => { return ${inner}; })()`),
    tie("expression").map((inner) => `await ${inner}`),
    fc.tuple(name, tie("expression")).map(([key, inner]) => `({ ${key}: ${inner}, import: 1, require: [2] })`),
  ),
})).expression;
const statement: fc.Arbitrary<string> = fc.letrec<{ statement: string }>((tie) => ({
  statement: fc.oneof(
    { depthSize: "small" },
    expression.map((inner) => `void ${inner};`),
    fc.tuple(name, expression).map(([id, init]) => `{ let ${id} = ${init}\n }`),
    tie("statement").map((inner) => `if (globalThis) { ${inner} } /* export default */`),
    tie("statement").map((inner) => `for (const i of [1]) { ${inner} }`),
    fc.tuple(name, tie("statement")).map(([id, inner]) => `{ async function ${id}() { ${inner} } }`),
    fc.constantFrom(";", "'use strict';", "/* import x from 'y' */", "label: { break label; }", "try { } catch { }"),
  ),
})).statement;
const program = fc
  .tuple(fc.array(statement, { maxLength: 5 }), expression, fc.constantFrom("\n", "\r\n"))
  .map(([statements, value, lineBreak]) => [...statements, `return ${value}`].join("\n").replaceAll("\n", lineBreak));

describe("EXEC-13 preparation of a program with a top-level return", () => {
  it("EXEC-13 changes nothing", () => {
    fc.assert(
      fc.property(program, (code) => {
        expect(prepared(code)).toEqual({
          body: code,
          positions: [],
          implicitValue: false,
          mayHoldSymbols: false,
          hints: [],
        });
      }),
      { seed: 4, numRuns: 400 },
    );
  });

  it("EXEC-13 takes off byte order mark and fence, and nothing else", () => {
    fc.assert(
      fc.property(program, (code) => {
        expect(prepared(`\ufeff${code}`).body).toBe(code);
        expect(prepared(`\`\`\`js\n${code}\n\`\`\``).body).toBe(`\n${code}\n`);
      }),
      { seed: 5, numRuns: 200 },
    );
  });

  it("TS-3 stripping the types of a program without types changes nothing", () => {
    fc.assert(
      fc.property(program, (code) => {
        expect(prepared(code, "typescript")).toMatchObject({ body: code, positions: [] });
      }),
      { seed: 6, numRuns: 200 },
    );
  });
});
