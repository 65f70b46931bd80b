import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { docText } from "../../src/declarations/doc-text.ts";
import { type TypeAlias, TypeWriter } from "../../src/declarations/type-writer.ts";
import { assignMemberNames } from "../../src/member-names.ts";
import { compileErrors } from "../compile.ts";

type TypeCase = {
  readonly id: string;
  readonly kind: "type" | "recursive";
  readonly feature: string;
  readonly schema: unknown;
  readonly expected: string;
};
type SchemaCase =
  | TypeCase
  | {
      readonly id: string;
      readonly kind: "doc";
      readonly feature: string;
      readonly input: string;
      readonly expected: string;
    }
  | {
      readonly id: string;
      readonly kind: "names";
      readonly feature: string;
      readonly input: readonly string[];
      readonly expected: { readonly [name: string]: string };
    };

const cases = readFileSync(new URL("../schema-cases.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as SchemaCase);
const typeCases = cases.filter((each): each is TypeCase => each.kind === "type" || each.kind === "recursive");

function write(schema: unknown): { type: string; aliases: readonly TypeAlias[] } {
  const writer = new TypeWriter(schema ?? undefined);
  return { type: writer.writeRoot(), aliases: writer.aliases };
}

/** Two types are equal enough when each may be assigned to the other. */
function assignability({ id, schema, expected }: TypeCase, index: number): string {
  const { type, aliases } = write(schema);
  const lines = [
    ...aliases.map(({ name, text }) => `type ${name} = ${text};`),
    `type Got = ${type};`,
    `type Expected = ${expected};`,
  ];
  return `namespace Case${index} { /* ${id} */\n${lines.join("\n")}\nexport declare const got: Got; export declare const expected: Expected;\nexport const forth: Expected = got; export const back: Got = expected;\n}`;
}

describe("schema cases", () => {
  it("MCP-5 prints every case as a type that tsc proves equal to the expected one", () => {
    expect(compileErrors({ "cases.ts": `${typeCases.map(assignability).join("\n")}\nexport {};\n` })).toEqual([]);
  });

  it("notices a wrong type, so that the proof above is one", () => {
    const wrong = typeCases.slice(0, 1).map((each) => ({ ...each, expected: "{ a: number }" }));
    expect(compileErrors({ "cases.ts": wrong.map(assignability).join("\n") })).not.toEqual([]);
  });

  it.each(typeCases.filter(({ kind }) => kind === "recursive"))(
    "names the types of $id ($feature) and refers to them",
    ({ schema, expected }) => {
      const { type, aliases } = write(schema);
      expect(type).toBe(expected);
      expect(aliases.some(({ text }) => aliases.some(({ name }) => new RegExp(`\\b${name}\\b`).test(text)))).toBe(true);
    },
  );

  it.each(cases.filter((each) => each.kind === "names"))("MCP-1 names $id ($feature)", ({ input, expected }) => {
    expect(Object.fromEntries(assignMemberNames([...input].sort()))).toEqual(expected);
  });

  it.each(cases.filter((each) => each.kind === "doc"))("writes $id ($feature) as one line", ({ input, expected }) => {
    expect(docText(input)).toBe(expected);
  });
});
