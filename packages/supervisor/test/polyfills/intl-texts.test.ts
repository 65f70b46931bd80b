import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createIntl } from "../../src/guest/polyfills/intl/create-intl.ts";

const guest = createIntl() as typeof Intl;
const seed = 20_261_206;
const numbers = fc.oneof(
  fc.integer({ min: -130, max: 130 }),
  fc.double({ min: -1e6, max: 1e6, noNaN: true }),
  fc.constantFrom(0, -0, 1, -1, 1e9),
);

describe("Intl.PluralRules, ListFormat and RelativeTimeFormat", () => {
  it(`GUEST-7 plural categories are those of Node (seed ${seed})`, () => {
    const options = fc.record(
      { type: fc.constantFrom("cardinal" as const, "ordinal" as const), minimumFractionDigits: fc.constantFrom(0, 1) },
      { requiredKeys: ["type"] },
    );
    fc.assert(
      fc.property(numbers, options, (value, given) => {
        expect(new guest.PluralRules("en-US", given).select(value)).toBe(
          new Intl.PluralRules("en-US", given).select(value),
        );
      }),
      { seed, numRuns: 2000 },
    );
    for (const type of ["cardinal", "ordinal"] as const)
      expect(new Set(new guest.PluralRules("en-US", { type }).resolvedOptions().pluralCategories)).toEqual(
        new Set(new Intl.PluralRules("en-US", { type }).resolvedOptions().pluralCategories),
      );
  });

  it(`GUEST-7 lists are joined as in Node (seed ${seed})`, () => {
    const options = fc.record({
      type: fc.constantFrom("conjunction" as const, "disjunction" as const, "unit" as const),
      style: fc.constantFrom("long" as const, "short" as const, "narrow" as const),
    });
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 }), { maxLength: 6 }), options, (list, given) => {
        const [mine, theirs] = [new guest.ListFormat("en-US", given), new Intl.ListFormat("en-US", given)];
        expect(mine.format(list)).toBe(theirs.format(list));
        expect(mine.formatToParts(list)).toEqual(theirs.formatToParts(list));
        expect(mine.resolvedOptions()).toEqual(theirs.resolvedOptions());
      }),
      { seed, numRuns: 1000 },
    );
    expect(() => new guest.ListFormat("en-US").format([1] as never)).toThrow(TypeError);
  });

  it(`GUEST-7 relative times read as in Node (seed ${seed})`, () => {
    const units = fc.constantFrom<Intl.RelativeTimeFormatUnit>(
      "second",
      "minutes",
      "hour",
      "day",
      "weeks",
      "month",
      "quarter",
      "quarters",
      "year",
    );
    const options = fc.record({
      numeric: fc.constantFrom("always" as const, "auto" as const),
      style: fc.constantFrom("long" as const, "short" as const, "narrow" as const),
    });
    fc.assert(
      fc.property(numbers, units, options, (value, unit, given) => {
        const [mine, theirs] = [
          new guest.RelativeTimeFormat("en-US", given),
          new Intl.RelativeTimeFormat("en-US", given),
        ];
        expect(mine.format(value, unit)).toBe(theirs.format(value, unit));
        expect(mine.formatToParts(value, unit)).toEqual(theirs.formatToParts(value, unit));
        expect(mine.resolvedOptions()).toEqual(theirs.resolvedOptions());
      }),
      { seed, numRuns: 3000 },
    );
  });
});

describe("Intl.Collator", () => {
  const letters = "abzABZéÉèêëñçøåßæœ0123456789 _-.,;:!?'\"()[]/&#%+<=>$€日яα";
  const texts = fc.string({ unit: fc.constantFrom(...letters), maxLength: 6 });

  it(`GUEST-7 texts compare as in Node (seed ${seed})`, () => {
    const options = fc.record(
      {
        sensitivity: fc.constantFrom("base" as const, "accent" as const, "case" as const, "variant" as const),
        numeric: fc.boolean(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(texts, texts, options, (left, right, given) => {
        expect(new guest.Collator("en-US", given).compare(left, right)).toBe(
          new Intl.Collator("en-US", given).compare(left, right),
        );
      }),
      { seed, numRuns: 10_000 },
    );
    fc.assert(
      fc.property(texts, texts, (same, other) => {
        const pair = [same, same.toUpperCase() + other] as const;
        expect(new guest.Collator().compare(...pair)).toBe(new Intl.Collator("en-US").compare(...pair));
      }),
      { seed, numRuns: 3000 },
    );
  });

  it("GUEST-7 words sort as in Node", () => {
    const words = [
      "résumé",
      "Resume",
      "resume",
      "Zebra",
      "apple",
      "Äpfel",
      "zoo",
      "item 10",
      "item 2",
      "naïve",
      "naive",
      "co-op",
      "coop",
      "CO-OP",
      "straße",
      "strasse",
      "",
      "ångström",
    ];
    expect([...words].sort(new guest.Collator("en-US").compare)).toEqual(
      [...words].sort(new Intl.Collator("en-US").compare),
    );
    expect(["a10", "a9", "a09", "a1"].sort(new guest.Collator("en-US", { numeric: true }).compare)).toEqual([
      "a1",
      "a9",
      "a09",
      "a10",
    ]);
    expect(new guest.Collator("en-US").resolvedOptions()).toEqual(new Intl.Collator("en-US").resolvedOptions());
  });
});
