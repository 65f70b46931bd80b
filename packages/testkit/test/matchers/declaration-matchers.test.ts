import type { JsonValue } from "@code-mode/contract";
import { expect, it } from "vitest";
import { completed } from "../fake-code-mode.ts";
import { outcomeOf } from "../observe.ts";

const judge = (expected: Record<string, JsonValue>, text: JsonValue): string => outcomeOf(expected, completed(text));

it("a declaration parses or it does not, whether it comes as text or as a file", () => {
  expect(judge({ declarationParses: true }, 'type A = { "x-y"?: string };')).toBe("pass");
  expect(judge({ declarationParses: true }, { content: "type A = { b: string };" })).toBe("pass");
  expect(judge({ declarationParses: true }, "type A = { x-y: };")).toBe("fail");
  expect(judge({ declarationParses: true }, 7)).toBe("fail");
});

it("a name in a comment or a string declares nothing, a name behind a comment that ended does", () => {
  const expected = { declaredNamesNever: ["pwn"] };
  expect(judge(expected, "/** const pwn */ type A = 'pwn';")).toBe("pass");
  expect(judge(expected, "/** x */ declare const pwn: 1; /* y */")).toBe("fail");
});

it("a text that is expected must stand in the declaration", () => {
  expect(judge({ declarationMatches: "a\\?: string" }, "type A = { a?: string };")).toBe("pass");
  expect(judge({ declarationMatches: "a: string" }, "type A = { a?: string };")).toBe("fail");
});
