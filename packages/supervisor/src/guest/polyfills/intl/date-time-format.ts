import { RangeErrorOf, TypeErrorOf } from "../captured.ts";
import { abs, now, objectCreate, type Part } from "./captured-intl.ts";
import { type DateSettings, resolveDate } from "./date-options.ts";
import { dateParts, dateText } from "./date-parts.ts";
import { checkLocales, theLocale } from "./locales.ts";
import { plainObject, toOptions } from "./options.ts";

const longestTime = 8.64e15;

/** `Intl.DateTimeFormat`, before `publish`. */
export class DateTimeFormat {
  readonly #settings: DateSettings;
  #format: ((value: unknown) => string) | undefined;

  constructor(locales?: unknown, options?: unknown) {
    checkLocales(locales);
    this.#settings = resolveDate(toOptions(options), "any", "date");
  }

  get format(): (value: unknown) => string {
    const settings = this.#settings;
    this.#format ??= (value) => dateText(timeOf(value), settings);
    return this.#format;
  }

  formatToParts(value?: unknown): Part[] {
    return dateParts(timeOf(value), this.#settings);
  }

  formatRange(start: unknown, end: unknown): string {
    const settings = this.#settings;
    if (start === undefined || end === undefined) throw new TypeErrorOf("formatRange(start, end) needs two dates");
    const first = dateText(timeOf(start), settings);
    const last = dateText(timeOf(end), settings);
    return first === last ? first : `${first}\u2009–\u2009${last}`;
  }

  resolvedOptions(): object {
    return describeDate(this.#settings);
  }
}

function timeOf(value: unknown): number {
  const time = value === undefined ? now() : +(value as number);
  if (!(abs(time) <= longestTime)) throw new RangeErrorOf("Invalid time value");
  return time;
}

const fieldNames = ["weekday", "year", "month", "day"] as const;

function describeDate(settings: DateSettings): object {
  const { hour, minute, second, hourCycle, dateStyle, timeStyle } = settings;
  const target = objectCreate(null);
  target.locale = theLocale;
  target.calendar = "gregory";
  target.numberingSystem = "latn";
  target.timeZone = "UTC";
  if (hour !== undefined) {
    target.hourCycle = hourCycle;
    target.hour12 = hourCycle === "h12" || hourCycle === "h11";
  }
  if ((dateStyle ?? timeStyle) === undefined) {
    for (let index = 0; index < fieldNames.length; index++) copy(target, settings, fieldNames[index] as "day");
    if (hour !== undefined) target.hour = target.hour12 === true ? hour : "2-digit";
    const together = minute !== undefined && (hour ?? second) !== undefined;
    if (minute !== undefined) target.minute = together ? "2-digit" : "numeric";
    if (second !== undefined) target.second = minute === undefined ? "numeric" : "2-digit";
    copy(target, settings, "fractionalSecondDigits");
    copy(target, settings, "timeZoneName");
  }
  copy(target, settings, "dateStyle");
  copy(target, settings, "timeStyle");
  return plainObject(target);
}

function copy(target: { [key: string]: unknown }, settings: DateSettings, key: keyof DateSettings): void {
  if (settings[key] !== undefined) target[key] = settings[key];
}
