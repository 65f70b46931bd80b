import { RangeErrorOf, TypeErrorOf, toLowerCase } from "../captured.ts";
import { unsupported } from "./captured-intl.ts";
import { contains } from "./locales.ts";
import { choose, flag, type Options, whole } from "./options.ts";

type Width = "numeric" | "2-digit" | undefined;
type TextWidth = "long" | "short" | "narrow";
type Style = "full" | "long" | "medium" | "short" | undefined;

export type DateSettings = {
  readonly weekday: TextWidth | undefined;
  readonly year: Width;
  readonly month: Width | TextWidth;
  readonly day: Width;
  readonly hour: Width;
  readonly minute: Width;
  readonly second: Width;
  readonly fractionalSecondDigits: number | undefined;
  readonly timeZoneName: string | undefined;
  readonly hourCycle: "h11" | "h12" | "h23" | "h24";
  readonly dateStyle: Style;
  readonly timeStyle: Style;
};

/** Which fields a method needs when its options name none. */
export type Needed = "date" | "time" | "any";

const textWidths = ["long", "short", "narrow"] as const;
const widths = ["numeric", "2-digit"] as const;
const styles = ["full", "long", "medium", "short"] as const;
const zones = ["utc", "gmt", "etc/utc", "etc/gmt", "etc/uct", "etc/zulu", "zulu", "uct", "+00:00"];
const zoneNames = ["short", "long", "shortOffset", "longOffset", "shortGeneric", "longGeneric"] as const;

/** The options of a program with `needed` and its defaults filled in, as ECMA-402 does it. */
export function resolveDate(options: Options, needed: Needed, fill: "date" | "time" | "all"): DateSettings {
  if (options.era !== undefined) throw unsupported("option era", "add the era by hand");
  if (options.dayPeriod !== undefined) throw unsupported("option dayPeriod", "use hour12: true");
  checkZone(options.timeZone);
  const fields = readFields(options);
  const dateStyle: Style = choose(options, "dateStyle", styles);
  const timeStyle: Style = choose(options, "timeStyle", styles);
  const hourCycle = resolveCycle(options);
  if (dateStyle !== undefined || timeStyle !== undefined) {
    checkStyles(fields, dateStyle, timeStyle, needed);
    return { ...fields, ...dateFields(dateStyle), ...timeFields(timeStyle), hourCycle, dateStyle, timeStyle };
  }
  const { weekday, year, month, day, hour, minute, second, fractionalSecondDigits } = fields;
  const hasDate = weekday !== undefined || year !== undefined || month !== undefined || day !== undefined;
  const hasTime =
    hour !== undefined || minute !== undefined || second !== undefined || fractionalSecondDigits !== undefined;
  const complete = (needed !== "time" && hasDate) || (needed !== "date" && hasTime);
  const none = { hourCycle, dateStyle, timeStyle };
  if (complete) return { ...fields, ...none };
  const numeric = "numeric" as const;
  const date = fill === "time" ? {} : { year: numeric, month: numeric, day: numeric };
  const time = fill === "date" ? {} : { hour: numeric, minute: numeric, second: numeric };
  return { ...fields, ...date, ...time, ...none };
}

type Fields = Omit<DateSettings, "hourCycle" | "dateStyle" | "timeStyle">;

function readFields(options: Options): Fields {
  return {
    weekday: choose(options, "weekday", textWidths),
    year: choose(options, "year", widths),
    month: choose(options, "month", ["numeric", "2-digit", "long", "short", "narrow"]),
    day: choose(options, "day", widths),
    hour: choose(options, "hour", widths),
    minute: choose(options, "minute", widths),
    second: choose(options, "second", widths),
    fractionalSecondDigits: whole(options, "fractionalSecondDigits", [1, 3]),
    timeZoneName: choose(options, "timeZoneName", zoneNames),
  };
}

function checkZone(zone: unknown): void {
  if (zone === undefined || contains(zones, toLowerCase(`${zone as string}`))) return;
  throw new RangeErrorOf(
    `time zone "${zone as string}" is not available: only UTC is. Shift the time yourself, for example new Date(+date + offsetHours * 3600000), and format that as UTC`,
  );
}

function resolveCycle(options: Options): DateSettings["hourCycle"] {
  const hour12 = flag(options, "hour12");
  const cycle = choose(options, "hourCycle", ["h11", "h12", "h23", "h24"], "h12");
  if (hour12 === undefined) return cycle;
  return hour12 ? "h12" : "h23";
}

function checkStyles(fields: Fields, dateStyle: Style, timeStyle: Style, needed: Needed): void {
  const keys = [
    "weekday",
    "year",
    "month",
    "day",
    "hour",
    "minute",
    "second",
    "fractionalSecondDigits",
    "timeZoneName",
  ] as const;
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] as keyof Fields;
    if (fields[key] !== undefined) throw new TypeErrorOf(`option ${key} cannot be used with dateStyle or timeStyle`);
  }
  if (needed === "date" && timeStyle !== undefined) throw new TypeErrorOf("timeStyle cannot be used for a date alone");
  if (needed === "time" && dateStyle !== undefined) throw new TypeErrorOf("dateStyle cannot be used for a time alone");
}

function dateFields(style: Style): Partial<Fields> {
  if (style === undefined) return {};
  const month = style === "short" ? "numeric" : style === "medium" ? "short" : "long";
  const weekday = style === "full" ? "long" : undefined;
  return { weekday, year: style === "short" ? "2-digit" : "numeric", month, day: "numeric" };
}

function timeFields(style: Style): Partial<Fields> {
  if (style === undefined) return {};
  const timeZoneName = style === "full" ? "long" : style === "long" ? "short" : undefined;
  const second = style === "short" ? undefined : "2-digit";
  return { hour: "numeric", minute: "2-digit", second, timeZoneName };
}
