import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonDepth, parseJsonText, toJsonText } from "../src/index.ts";

/** Depth by walking the parsed value: the slow reference of `jsonDepth`. */
function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe("jsonDepth", () => {
  it.each([
    ["1", 0],
    ['"[[["', 0],
    ["[]", 1],
    ["{}", 1],
    ['{"a":[]}', 2],
    ["[[],[[]],[]]", 3],
    ['["\\"[[", "]"]', 1],
    ['["\\\\", [1]]', 2],
    ['{"[{\\\\":1}', 1],
    ["", 0],
  ])("GUEST-6 of %s is %i", (text, depth) => {
    expect(jsonDepth(text)).toBe(depth);
  });

  it("GUEST-6 agrees with a walk over the parsed value, however strings are quoted", () => {
    const nasty = fc.string({ unit: fc.constantFrom("[", "]", "{", "}", '"', "\\", ",", "a"), maxLength: 12 });
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 6 },
        nasty,
        fc.constantFrom<unknown>(null, true, 1.5),
        fc.array(tie("tree"), { maxLength: 4 }),
        fc.dictionary(nasty, tie("tree"), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(tree, fc.constantFrom(undefined, 2), (value, indent) => {
        expect(jsonDepth(JSON.stringify(value, undefined, indent))).toBe(depthOf(value));
      }),
      { seed: 500, numRuns: 400 },
    );
  });

  it("GUEST-6 counts what is too deep for a recursive reader", () => {
    expect(jsonDepth(`${"[".repeat(499)}${"]".repeat(499)}`)).toBe(499);
    expect(jsonDepth(`${"[".repeat(501)}${"]".repeat(501)}`)).toBe(501);
    expect(jsonDepth(`${'{"a":'.repeat(200_000)}1${"}".repeat(200_000)}`)).toBe(200_000);
  });
});

describe("toJsonText", () => {
  it.each([
    [undefined, "null"],
    [() => 1, "null"],
    [Symbol("mark"), "null"],
    [10n, '"10"'],
    [{ big: 2n ** 70n, list: [1n] }, '{"big":"1180591620717411303424","list":["1"]}'],
    [{ a: undefined, b: Number.NaN }, '{"b":null}'],
    ["text", '"text"'],
  ])("a host value %s crosses as JSON text", (value, text) => {
    expect(toJsonText(value)).toEqual({ ok: true, text });
  });

  it("a cycle is a problem that is said, not thrown", () => {
    const value: Record<string, unknown> = {};
    value.self = value;
    const result = toJsonText(value);
    expect(result).toMatchObject({ ok: false });
    expect((result as { problem: string }).problem).toMatch(/circular/i);
  });

  it("a cycle beside a BigInt is named as the problem: the BigInt is none", () => {
    const value: Record<string, unknown> = { count: 1n };
    value.self = value;
    expect((toJsonText(value) as { problem: string }).problem).toMatch(/circular/i);
  });

  it("a serializer or getter that throws is a problem, not an exception", () => {
    expect(toJsonText({ toJSON: throwing })).toEqual({ ok: false, problem: "trap" });
    expect(toJsonText(Object.defineProperty({}, "a", { enumerable: true, get: throwing }))).toEqual({
      ok: false,
      problem: "trap",
    });
  });
});

describe("parseJsonText", () => {
  it("OUT-3 a __proto__ key stays plain data and touches no prototype", () => {
    const value = parseJsonText('{"__proto__":{"polluted":true},"a":1}') as Record<string, unknown>;
    expect(Object.keys(value)).toEqual(["__proto__", "a"]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(JSON.stringify(value)).toBe('{"__proto__":{"polluted":true},"a":1}');
  });
});

function throwing(): never {
  throw new Error("trap");
}
