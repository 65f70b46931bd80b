import type { CodeModeOutput } from "@code-mode/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutOutputItem, cutToBytes, cutToJsonBytes, jsonBytes } from "../src/index.ts";

const runs = { seed: 2024, numRuns: 500 };

/** Text with characters of one to four UTF-8 bytes, escapes, and halves of surrogate pairs. */
const anyText = fc.string({
  unit: fc.oneof(
    fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
    fc.constantFrom("a", "é", "€", "🙂", '"', "\\", "\n", "\u0001", "\u2028", "\ud83d", "\ude42"),
  ),
  maxLength: 40,
});
const wellFormed = fc.string({ unit: fc.constantFrom("a", "é", "€", "🙂", "𝄞", "e\u0301"), maxLength: 40 });

const utf8 = (text: string): number => Buffer.byteLength(text);
const literal = (text: string): number => Buffer.byteLength(JSON.stringify(text));

/** The prefixes of a text that end between two characters, longest last. */
function prefixes(text: string): string[] {
  const all = [""];
  for (const character of text) all.push(`${all.at(-1)}${character}`);
  return all;
}

function longest(text: string, fits: (prefix: string) => boolean): string {
  return prefixes(text).findLast(fits) ?? "";
}

describe("jsonBytes", () => {
  it.each([
    [null, 4],
    ["", 2],
    ["é", 4],
    ["🙂", 6],
    ['a"b', 6],
    ["\u0001", 8],
    ["\ud83d", 8],
    [[1, 2], 5],
    [{ a: "ü" }, 10],
  ])("OUT-2 %j counts %i bytes of JSON text", (value, bytes) => {
    expect(jsonBytes(value)).toBe(bytes);
  });

  it("OUT-2 an output item counts with its envelope", () => {
    expect(jsonBytes({ type: "text", text: "€" })).toBe(utf8('{"type":"text","text":"€"}'));
    expect(jsonBytes({ type: "json", value: [1] })).toBe(utf8('{"type":"json","value":[1]}'));
  });
});

describe("cutToBytes", () => {
  it.each([
    ["abc", 3, "abc"],
    ["abc", 2, "ab"],
    ["abc", 0, ""],
    ["é", 1, ""],
    ["é", 2, "é"],
    ["aé", 2, "a"],
    ["€€", 5, "€"],
    ["€€", 6, "€€"],
    ["🙂x", 3, ""],
    ["🙂x", 4, "🙂"],
    ["🙂x", 5, "🙂x"],
    ["🙂🙂", 7, "🙂"],
  ])("OUT-2 %j within %i bytes is %j", (text, maxBytes, kept) => {
    expect(cutToBytes(text, maxBytes)).toBe(kept);
  });

  it("OUT-2 keeps the longest prefix of whole characters", () => {
    fc.assert(
      fc.property(wellFormed, fc.nat({ max: 120 }), (text, maxBytes) => {
        expect(cutToBytes(text, maxBytes)).toBe(longest(text, (prefix) => utf8(prefix) <= maxBytes));
      }),
      runs,
    );
  });

  it("OUT-2 never exceeds the bytes, whatever the text holds", () => {
    fc.assert(
      fc.property(anyText, fc.nat({ max: 160 }), (text, maxBytes) => {
        expect(utf8(cutToBytes(text, maxBytes))).toBeLessThanOrEqual(maxBytes);
      }),
      runs,
    );
  });

  it("a negative budget keeps nothing", () => {
    expect(cutToBytes("abc", -1)).toBe("");
  });
});

describe("cutToJsonBytes", () => {
  it.each([
    ["abc", 5, "abc"],
    ["abc", 4, "ab"],
    ["abc", 2, ""],
    ['""', 5, '"'],
    ["\n\n", 6, "\n\n"],
    ["\n\n", 5, "\n"],
    ["\u0001", 7, ""],
    ["\u0001", 8, "\u0001"],
    ["🙂", 5, ""],
    ["🙂", 6, "🙂"],
    ["a\ud83d", 8, "a"],
    ["a\ud83d", 9, "a\ud83d"],
  ])("OUT-2 %j within a literal of %i bytes is %j", (text, maxBytes, kept) => {
    expect(cutToJsonBytes(text, maxBytes)).toBe(kept);
  });

  it("OUT-2 keeps the longest prefix whose literal fits, never half a surrogate pair", () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 2, max: 200 }), (text, maxBytes) => {
        const kept = cutToJsonBytes(text, maxBytes);
        expect(kept).toBe(longest(text, (prefix) => literal(prefix) <= maxBytes));
        expect(literal(kept)).toBeLessThanOrEqual(maxBytes);
      }),
      runs,
    );
  });
});

describe("cutToJsonBytes of long texts", () => {
  it.each([65_535, 65_536, 65_537, 131_072, 131_073, 400_000])(
    "OUT-2 the cut within %i bytes is exact and never inside a pair",
    (maxBytes) => {
      for (const lead of ["", "a"]) {
        const text = `${lead}${"🙂".repeat(100_000)}`;
        const fitting = Math.min(100_000, Math.floor((maxBytes - 2 - lead.length) / 4));
        expect(cutToJsonBytes(text, maxBytes)).toBe(`${lead}${"🙂".repeat(fitting)}`);
      }
      const lines = "\n".repeat(300_000);
      expect(cutToJsonBytes(lines, maxBytes)).toHaveLength(Math.min(300_000, Math.floor((maxBytes - 2) / 2)));
    },
  );
});

describe("cutOutputItem", () => {
  const envelope = utf8('{"type":"text","text":""}');

  it("OUT-2 a text is cut to the budget at a character boundary", () => {
    const item: CodeModeOutput = { type: "text", text: "ab🙂🙂" };
    expect(cutOutputItem(item, envelope + 10)).toEqual(item);
    expect(cutOutputItem(item, envelope + 9)).toEqual({ type: "text", text: "ab🙂" });
    expect(cutOutputItem(item, envelope + 6)).toEqual({ type: "text", text: "ab🙂" });
    expect(cutOutputItem(item, envelope + 5)).toEqual({ type: "text", text: "ab" });
    expect(cutOutputItem(item, envelope + 1)).toEqual({ type: "text", text: "a" });
  });

  it("OUT-2 a value that does not fit becomes the beginning of its JSON text", () => {
    expect(cutOutputItem({ type: "json", value: { name: "value" } }, envelope + 4)).toEqual({
      type: "text",
      text: '{"n',
    });
  });

  it("OUT-2 where not one character fits there is no item", () => {
    expect(cutOutputItem({ type: "text", text: "abc" }, envelope)).toBeUndefined();
    expect(cutOutputItem({ type: "text", text: "🙂" }, envelope + 3)).toBeUndefined();
    expect(cutOutputItem({ type: "json", value: [1, 2, 3] }, 0)).toBeUndefined();
    expect(cutOutputItem({ type: "text", text: "abc" }, -5)).toBeUndefined();
  });

  it("OUT-2 what is kept fits the budget, is a prefix, and could not be one character longer", () => {
    const item = fc.oneof(
      anyText.map((text): CodeModeOutput => ({ type: "text", text })),
      fc.jsonValue().map((value): CodeModeOutput => ({ type: "json", value: value as never })),
    );
    fc.assert(
      fc.property(item, fc.integer({ min: 0, max: 300 }), (whole, maxBytes) => {
        const text = whole.type === "text" ? whole.text : JSON.stringify(whole.value);
        const wanted = longest(text, (prefix) => jsonBytes({ type: "text", text: prefix }) <= maxBytes);
        const part = cutOutputItem(whole, maxBytes);
        expect(part).toEqual(wanted === "" ? undefined : { type: "text", text: wanted });
        if (part !== undefined) expect(jsonBytes(part)).toBeLessThanOrEqual(maxBytes);
      }),
      runs,
    );
  });
});
