import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createIntl } from "../../src/guest/polyfills/intl/create-intl.ts";

const guest = createIntl() as typeof Intl;
const seed = 20_261_206;

const numbers = fc.oneof(
  fc.constantFrom(
    0,
    -0,
    1,
    -1,
    0.5,
    1.5,
    2.5,
    999,
    999.5,
    1000,
    9999,
    12_345,
    99_999,
    999_499,
    999_999,
    1e15,
    1e21,
    NaN,
    Infinity,
    -Infinity,
    5e-324,
    1.7e308,
    0.1 + 0.2,
    1.005,
    1e-7,
  ),
  fc.double({ min: -1e7, max: 1e7, noNaN: true }),
  fc.double({ noNaN: true }),
  fc.integer(),
  fc.integer({ min: -10_000_000, max: 10_000_000 }).map((cents) => cents / 100),
  fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
);

/** Option sets without undefined members. */
function optional<T extends object>(shape: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<Partial<T>> {
  return fc.record(shape, { requiredKeys: [] }) as fc.Arbitrary<Partial<T>>;
}

const digits = fc.oneof(
  fc.constant({}),
  fc.integer({ min: 0, max: 8 }).map((maximumFractionDigits) => ({ maximumFractionDigits })),
  fc.integer({ min: 0, max: 8 }).map((minimumFractionDigits) => ({ minimumFractionDigits })),
  fc
    .tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 4 }))
    .map(([least, more]) => ({ minimumFractionDigits: least, maximumFractionDigits: least + more })),
  fc
    .tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 0, max: 5 }))
    .map(([least, more]) => ({ minimumSignificantDigits: least, maximumSignificantDigits: least + more })),
  fc.integer({ min: 1, max: 9 }).map((minimumIntegerDigits) => ({ minimumIntegerDigits })),
);

const styles = fc.oneof(
  fc.constant({}),
  fc.constant({ style: "percent" }),
  fc.record({
    style: fc.constant("currency"),
    currency: fc.constantFrom(
      "USD",
      "EUR",
      "GBP",
      "JPY",
      "CHF",
      "KWD",
      "CAD",
      "INR",
      "BRL",
      "SEK",
      "ZZZ",
      "XOF",
      "CNY",
      "HUF",
      "PLN",
    ),
    currencyDisplay: fc.constantFrom("symbol", "narrowSymbol", "code", "name"),
    currencySign: fc.constantFrom("standard", "accounting"),
  }),
  fc.record({
    style: fc.constant("unit"),
    unit: fc.constantFrom(
      ...Intl.supportedValuesOf("unit"),
      "kilometer-per-hour",
      "mile-per-hour",
      "byte-per-second",
      "meter-per-second",
      "mile-per-gallon",
    ),
    unitDisplay: fc.constantFrom("short", "narrow", "long"),
  }),
);

const looks = optional({
  useGrouping: fc.constantFrom<boolean | "auto" | "always" | "min2">("auto", "always", "min2", true, false),
  signDisplay: fc.constantFrom("auto", "always", "never", "exceptZero", "negative"),
});

const notations = fc.constantFrom<object>(
  {},
  {},
  { notation: "compact" },
  { notation: "compact", compactDisplay: "long" },
  { notation: "scientific" },
  { notation: "engineering" },
);

/** "1E5 US dollars" but "1E3 US dollar": Node's plural after an exponent depends on whether rounding made one more digit. */
function hasUnclearPlural({ notation, style, currencyDisplay, unitDisplay }: Intl.NumberFormatOptions): boolean {
  if (notation !== "scientific" && notation !== "engineering") return false;
  return (style === "currency" && currencyDisplay === "name") || (style === "unit" && unitDisplay !== "narrow");
}

describe("Intl.NumberFormat", () => {
  it(`GUEST-7 formats any number with any options as Node does (seed ${seed})`, () => {
    const options = fc
      .tuple(digits, styles, looks, notations)
      .map((all): Intl.NumberFormatOptions => Object.assign({}, ...all));
    fc.assert(
      fc.property(numbers, options, (value, given) => {
        fc.pre(!hasUnclearPlural(given));
        const [mine, theirs] = [new guest.NumberFormat("en-US", given), new Intl.NumberFormat("en-US", given)];
        expect(mine.format(value)).toBe(theirs.format(value));
        expect(
          mine
            .formatToParts(value)
            .map((part) => part.value)
            .join(""),
        ).toBe(theirs.format(value));
        // Node forgets the sign's style when it shows no sign.
        const { currencySign: _sign, ...resolved } = theirs.resolvedOptions();
        expect(mine.resolvedOptions()).toMatchObject(resolved);
      }),
      { seed, numRuns: 6000 },
    );
  });

  it(`GUEST-7 parts of numbers, amounts and percents are those of Node (seed ${seed})`, () => {
    const options = fc.tuple(digits, styles, looks).map((all): Intl.NumberFormatOptions => Object.assign({}, ...all));
    fc.assert(
      fc.property(numbers, options, (value, given) => {
        expect(new guest.NumberFormat("en-US", given).formatToParts(value)).toEqual(
          new Intl.NumberFormat("en-US", given).formatToParts(value),
        );
      }),
      { seed, numRuns: 2000 },
    );
  });

  it(`GUEST-7 every rounding mode rounds as in Node (seed ${seed})`, () => {
    const modes = fc.constantFrom(
      "ceil",
      "floor",
      "expand",
      "trunc",
      "halfCeil",
      "halfFloor",
      "halfExpand",
      "halfTrunc",
      "halfEven",
    );
    const halves = fc.integer({ min: -4000, max: 4000 }).map((eighths) => eighths / 8);
    fc.assert(
      fc.property(
        fc.oneof(halves, numbers),
        modes,
        fc.integer({ min: 0, max: 3 }),
        (value, roundingMode, maximumFractionDigits) => {
          const given = { roundingMode, maximumFractionDigits } as Intl.NumberFormatOptions;
          expect(new guest.NumberFormat("en-US", given).format(value)).toBe(
            new Intl.NumberFormat("en-US", given).format(value),
          );
        },
      ),
      { seed, numRuns: 2000 },
    );
  });

  it("GUEST-7 wrong options are refused with the kind of error of Node", () => {
    const wrong: object[] = [
      { style: "currency" },
      { style: "unit" },
      { style: "no" },
      { style: "currency", currency: "dollars" },
      { style: "unit", unit: "parsec" },
      { minimumFractionDigits: 101 },
      { minimumFractionDigits: 3, maximumFractionDigits: 2 },
      { maximumSignificantDigits: 0 },
      { useGrouping: "sometimes" },
      { notation: "short" },
    ];
    const kind = (type: typeof Intl.NumberFormat, given: object): string => {
      try {
        new type("en-US", given);
        return "none";
      } catch (error) {
        return (error as Error).name;
      }
    };
    for (const given of wrong)
      expect([given, kind(guest.NumberFormat, given)]).toEqual([given, kind(Intl.NumberFormat, given)]);
    expect(() => new guest.NumberFormat("en_US")).toThrow(RangeError);
    expect(new guest.NumberFormat("de-DE").format(1234.5)).toBe("1,234.5");
    expect(guest.NumberFormat.supportedLocalesOf(["de", "en-us", "en-GB", "EN"])).toEqual(["en-US", "en"]);
  });
});
