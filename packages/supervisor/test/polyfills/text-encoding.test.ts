import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createTextCoders } from "../../src/guest/polyfills/text-encoding.ts";

const guest = createTextCoders();
const texts = [
  "",
  "abc",
  "é",
  "€",
  "😀",
  "a\0b",
  "\ud800",
  "\udc00a",
  "\ud800\ud800\udc00",
  "\ud83d",
  "\uffff\ufffe\ufeff",
  "x".repeat(70_000),
  "é😀".repeat(40_000),
];

describe("TextEncoder", () => {
  it("GUEST-7 encodes as Node does, lone surrogates as U+FFFD", () => {
    for (const text of texts)
      expect(
        Buffer.from(new guest.TextEncoder().encode(text)).equals(Buffer.from(new TextEncoder().encode(text))),
      ).toBe(true);
    expect([...new guest.TextEncoder().encode()]).toEqual([]);
    expect([...new guest.TextEncoder().encode(12)]).toEqual([49, 50]);
    expect(() => new guest.TextEncoder().encode(Symbol())).toThrow(TypeError);
  });

  it("GUEST-7 encodeInto stops before a code point that does not fit", () => {
    for (const text of texts.slice(0, 11)) {
      for (let size = 0; size < 9; size++) {
        const [mine, theirs] = [new Uint8Array(size), new Uint8Array(size)];
        const done = new guest.TextEncoder().encodeInto(text, mine);
        expect([done, mine]).toEqual([new TextEncoder().encodeInto(text, theirs), theirs]);
      }
    }
    expect(() => new guest.TextEncoder().encodeInto("a", [] as never)).toThrow(TypeError);
  });

  it("GUEST-7 any text encodes as by Node and decodes back", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
        (text) => {
          const bytes = new guest.TextEncoder().encode(text);
          expect(bytes).toEqual(new TextEncoder().encode(text));
          expect(new guest.TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)).toBe(text.toWellFormed());
        },
      ),
      { seed: 1, numRuns: 500 },
    );
  });
});

describe("TextDecoder", () => {
  const edge = fc.constantFrom(
    0,
    0x41,
    0x7f,
    0x80,
    0x8f,
    0x90,
    0x9f,
    0xa0,
    0xbf,
    0xc0,
    0xc1,
    0xc2,
    0xdf,
    0xe0,
    0xed,
    0xef,
    0xbb,
    0xf0,
    0xf4,
    0xf5,
    0xff,
  );

  function decode(
    type: typeof TextDecoder,
    parts: readonly number[][],
    options: { fatal: boolean; ignoreBOM: boolean },
  ): unknown {
    const decoder = new type("utf-8", options);
    try {
      const streamed = parts.map((part) => decoder.decode(new Uint8Array(part), { stream: true })).join("");
      return streamed + decoder.decode();
    } catch (error) {
      return (error as Error).name;
    }
  }

  it("GUEST-7 any bytes, in any parts, decode as by Node, lenient and fatal", () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(edge, { maxLength: 6 }), { maxLength: 5 }),
        fc.boolean(),
        fc.boolean(),
        (parts, fatal, ignoreBOM) => {
          const [mine, theirs] = [guest.TextDecoder as unknown as typeof TextDecoder, TextDecoder];
          expect(decode(mine, parts, { fatal, ignoreBOM })).toEqual(decode(theirs, parts, { fatal, ignoreBOM }));
          const whole = new Uint8Array(parts.flat());
          expect(new guest.TextDecoder().decode(whole)).toBe(new TextDecoder().decode(whole));
        },
      ),
      { seed: 2, numRuns: 3000 },
    );
  });

  it("GUEST-7 reads buffers and views at their offset and refuses everything else", () => {
    const bytes = new Uint8Array([120, 195, 169, 0xe2, 0x82, 0xac, 121]);
    const decoder = new guest.TextDecoder();
    expect(decoder.decode(bytes.buffer)).toBe("xé€y");
    expect(decoder.decode(bytes.subarray(1, 3))).toBe("é");
    expect(decoder.decode(new DataView(bytes.buffer, 3, 3))).toBe("€");
    for (const wrong of ["text", 1, null, [1], {}]) expect(() => decoder.decode(wrong)).toThrow(TypeError);
  });

  it("GUEST-7 a streamed part is kept even when the program reuses its buffer", () => {
    const decoder = new guest.TextDecoder();
    const chunk = new Uint8Array([0xe2, 0x82]);
    expect(decoder.decode(chunk, { stream: true })).toBe("");
    chunk.fill(0);
    expect(decoder.decode(new Uint8Array([0xac]))).toBe("€");
  });

  it("GUEST-7 labels of utf-8 are accepted, others are a RangeError that names utf-8", () => {
    for (const label of [
      "utf-8",
      "UTF8",
      " utf-8\n",
      "unicode-1-1-utf-8",
      "unicode11utf8",
      "unicode20utf8",
      "x-unicode20utf8",
    ]) {
      expect(new guest.TextDecoder(label).encoding).toBe(new TextDecoder(label).encoding);
    }
    for (const label of ["utf-16", "latin1", "unicode12utf8", ""])
      expect(() => new guest.TextDecoder(label)).toThrow(/utf-8/);
    expect(() => new guest.TextDecoder("ascii")).toThrow(RangeError);
  });

  it("GUEST-7 names, tags and options read as on the web", () => {
    const decoder = new guest.TextDecoder("utf-8", { fatal: true, ignoreBOM: 1 });
    expect([decoder.fatal, decoder.ignoreBOM, String(decoder), String(new guest.TextEncoder())]).toEqual([
      true,
      true,
      "[object TextDecoder]",
      "[object TextEncoder]",
    ]);
    expect([guest.TextEncoder.name, guest.TextDecoder.name, new guest.TextEncoder().encoding]).toEqual([
      "TextEncoder",
      "TextDecoder",
      "utf-8",
    ]);
  });
});
