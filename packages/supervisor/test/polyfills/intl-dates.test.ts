import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createIntl } from "../../src/guest/polyfills/intl/create-intl.ts";

const guest = createIntl() as typeof Intl;
const seed = 20_261_206;
const times = fc.oneof(
  fc.integer({ min: Date.UTC(1900, 0), max: Date.UTC(2100, 0) }),
  fc.integer({ min: Date.UTC(1583, 0), max: Date.UTC(9999, 0) }),
  fc.constantFrom(0, Date.UTC(2024, 1, 29), Date.UTC(2024, 0, 1, 12), Date.UTC(2024, 11, 31, 23, 59, 59, 999), 8.64e15),
);

const width = fc.constantFrom("numeric", "2-digit");
const textWidth = fc.constantFrom("long", "short", "narrow");
const zoneName = fc.constantFrom("short", "long", "shortOffset", "longOffset");
const monthDay = { month: fc.oneof(width, textWidth), day: width };
const dates = fc.oneof(
  fc.constant({}),
  fc.record({ ...monthDay, year: width, weekday: textWidth }, { requiredKeys: ["month", "day"] }),
  fc.record(
    { month: fc.constantFrom("long", "short", "numeric", "2-digit"), year: width },
    { requiredKeys: ["month"] },
  ),
  fc.record({ year: width }),
  fc.record({ day: width, weekday: textWidth }, { requiredKeys: ["day"] }),
  fc.record({ weekday: textWidth }),
);
const clocks = fc.oneof(
  fc.constant({}),
  fc.record({ hour: width, timeZoneName: zoneName }, { requiredKeys: ["hour"] }),
  fc.record({ hour: width, minute: width, timeZoneName: zoneName }, { requiredKeys: ["hour", "minute"] }),
  fc.record(
    {
      hour: width,
      minute: width,
      second: width,
      fractionalSecondDigits: fc.constantFrom(1, 2, 3),
      timeZoneName: zoneName,
    },
    { requiredKeys: ["hour", "minute", "second"] },
  ),
  fc.record({ minute: width, second: width }),
);
const cycles = fc.oneof(
  fc.constant({}),
  fc.record({ hour12: fc.boolean() }),
  fc.record({ hourCycle: fc.constantFrom("h11", "h12", "h23", "h24") }),
);
const style = fc.constantFrom("full", "long", "medium", "short");
const options = fc
  .oneof(
    { weight: 3, arbitrary: fc.tuple(dates, clocks, cycles) },
    { weight: 1, arbitrary: fc.tuple(fc.record({ dateStyle: style, timeStyle: style }, { requiredKeys: [] }), cycles) },
  )
  .map((all): Intl.DateTimeFormatOptions => Object.assign({ timeZone: "UTC" }, ...all));

describe("Intl.DateTimeFormat", () => {
  it(`GUEST-7 formats any time with any options as Node does in UTC (seed ${seed})`, () => {
    fc.assert(
      fc.property(times, options, (time, given) => {
        const [mine, theirs] = [new guest.DateTimeFormat("en-US", given), new Intl.DateTimeFormat("en-US", given)];
        expect(mine.formatToParts(time)).toEqual(theirs.formatToParts(time));
        expect(mine.format(new Date(time))).toBe(theirs.format(time));
      }),
      { seed, numRuns: 6000 },
    );
  });

  it("GUEST-7 resolved options name UTC and the fields", () => {
    const table: Intl.DateTimeFormatOptions[] = [
      {},
      { dateStyle: "short", timeStyle: "short" },
      { month: "long", day: "2-digit" },
      { hour: "numeric", minute: "numeric" },
    ];
    for (const given of table) {
      const { hourCycle, ...theirs } = new Intl.DateTimeFormat("en-US", {
        ...given,
        timeZone: "UTC",
      }).resolvedOptions();
      expect(new guest.DateTimeFormat("en-US", given).resolvedOptions()).toMatchObject({
        ...theirs,
        ...(hourCycle && { hourCycle }),
      });
    }
  });

  it("GUEST-7 ranges of whole dates are those of Node", () => {
    const [start, end] = [Date.UTC(2024, 0, 1), Date.UTC(2025, 2, 3)];
    for (const given of [{}, { dateStyle: "long" }, { dateStyle: "medium" }] as Intl.DateTimeFormatOptions[]) {
      const theirs = new Intl.DateTimeFormat("en-US", { ...given, timeZone: "UTC" });
      const mine = new guest.DateTimeFormat("en-US", given);
      expect(mine.formatRange(start, end)).toBe(theirs.formatRange(start, end));
      expect(mine.formatRange(start, start)).toBe(theirs.formatRange(start, start));
    }
  });

  it("GUEST-7 another time zone is a RangeError that says what to do", () => {
    expect(() => new guest.DateTimeFormat("en-US", { timeZone: "Europe/Berlin" })).toThrow(/only UTC.*offsetHours/);
    for (const timeZone of ["UTC", "GMT", "Etc/UTC", "utc"])
      expect(new guest.DateTimeFormat("en-US", { timeZone }).resolvedOptions().timeZone).toBe("UTC");
    expect(() => new guest.DateTimeFormat("en-US").format(Number.NaN)).toThrow(RangeError);
    expect(() => new guest.DateTimeFormat("en-US", { dateStyle: "short", year: "numeric" })).toThrow(TypeError);
  });
});
