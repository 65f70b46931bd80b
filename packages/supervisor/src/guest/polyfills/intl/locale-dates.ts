import { isFiniteNumber, timeValue } from "./captured-intl.ts";
import { resolveDate } from "./date-options.ts";
import { dateText } from "./date-parts.ts";
import { checkLocales } from "./locales.ts";
import { toOptions } from "./options.ts";

type LocaleMethod = (self: unknown, locales: unknown, options: unknown) => string;

/** `toLocaleString`, `toLocaleDateString` and `toLocaleTimeString` of dates, in this order. */
export function createLocaleDates(): readonly LocaleMethod[] {
  return [
    (self, locales, options) => showDate(timeValue(self), locales, resolveDate(toOptions(options), "any", "all")),
    (self, locales, options) => showDate(timeValue(self), locales, resolveDate(toOptions(options), "date", "date")),
    (self, locales, options) => showDate(timeValue(self), locales, resolveDate(toOptions(options), "time", "time")),
  ];
}

function showDate(time: number, locales: unknown, settings: ReturnType<typeof resolveDate>): string {
  checkLocales(locales);
  return isFiniteNumber(time) ? dateText(time, settings) : "Invalid Date";
}
