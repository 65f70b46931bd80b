import { slice } from "../captured.ts";
import {
  addPart,
  DateOf,
  type Part,
  padStart,
  utcDate,
  utcDay,
  utcHours,
  utcMilliseconds,
  utcMinutes,
  utcMonth,
  utcSeconds,
  utcYear,
} from "./captured-intl.ts";
import type { DateSettings } from "./date-options.ts";

const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const zoneTexts: { readonly [name: string]: string } = {
  __proto__: null as never,
  short: "UTC",
  long: "Coordinated Universal Time",
  shortOffset: "GMT+0",
  longOffset: "GMT+00:00",
  shortGeneric: "GMT+0",
  longGeneric: "GMT+00:00",
};

const narrowSpace = "\u202f";

/** A time value as en-US writes it in UTC. */
export function dateParts(time: number, settings: DateSettings): Part[] {
  const date = new DateOf(time);
  const parts: Part[] = [];
  addDate(parts, date, settings);
  const { hour, minute, second, fractionalSecondDigits, timeZoneName } = settings;
  const hasTime = hour ?? minute ?? second ?? fractionalSecondDigits;
  if (hasTime !== undefined) {
    if (parts.length > 0) addPart(parts, "literal", dateTimeGlue(settings));
    addTime(parts, date, settings);
  }
  if (timeZoneName === undefined) return parts;
  addPart(parts, "literal", hasTime === undefined ? ", " : " ");
  addPart(parts, "timeZoneName", zoneTexts[timeZoneName] as string);
  return parts;
}

/** The text of the parts. Node, too, has a usual space before AM and PM here and the narrow one of CLDR only in parts. */
export function dateText(time: number, settings: DateSettings): string {
  const parts = dateParts(time, settings);
  let text = "";
  for (let index = 0; index < parts.length; index++) {
    const { value } = parts[index] as Part;
    text += value === narrowSpace ? " " : value;
  }
  return text;
}

function dateTimeGlue(settings: DateSettings): string {
  const { weekday, month, day, year } = settings;
  if (month === "long") return " at ";
  return weekday !== undefined && (month ?? day ?? year) === undefined && isPlainClock(settings) ? " " : ", ";
}

/** The clocks for which the locale has a pattern together with a weekday. */
function isPlainClock({ hour, minute, hourCycle, fractionalSecondDigits, timeZoneName }: DateSettings): boolean {
  if (hour === undefined || (timeZoneName ?? fractionalSecondDigits) !== undefined) return false;
  return minute !== undefined || hourCycle === "h12" || hourCycle === "h11";
}

function addDate(parts: Part[], date: Date, settings: DateSettings): void {
  const { month, day, year } = settings;
  const weekdayFirst = month !== undefined && day !== undefined;
  if (weekdayFirst) addWeekday(parts, date, settings, "");
  if (weekdayFirst && parts.length > 0) addPart(parts, "literal", ", ");
  const isNumeric = month === "numeric" || month === "2-digit";
  if (month !== undefined) addPart(parts, "month", monthText(utcMonth(date), month));
  const glue = isNumeric ? "/" : " ";
  if (month === undefined) {
    addMonthless(parts, date, settings);
    return;
  }
  if (day !== undefined) {
    addPart(parts, "literal", glue);
    addPart(parts, "day", padded(utcDate(date), day));
  }
  if (year !== undefined) {
    addPart(parts, "literal", isNumeric || day === undefined ? glue : ", ");
    addPart(parts, "year", yearText(utcYear(date), year));
  }
  if (!weekdayFirst) addWeekday(parts, date, settings, " ");
}

/** Day and year without a month are no usual date: ICU puts them one after another. */
function addMonthless(parts: Part[], date: Date, settings: DateSettings): void {
  const { day, year, weekday } = settings;
  if (day !== undefined && (year === undefined || weekday !== undefined))
    addPart(parts, "day", padded(utcDate(date), day));
  if (day !== undefined) addWeekday(parts, date, settings, " ");
  if (year !== undefined) {
    if (parts.length > 0) addPart(parts, "literal", " ");
    addPart(parts, "year", yearText(utcYear(date), year));
    if (day === undefined) addWeekday(parts, date, settings, " ");
    else if (weekday === undefined) addLabelled(parts, "day", padded(utcDate(date), day));
  } else if (day === undefined) addWeekday(parts, date, settings, "");
}

/** How ICU shows a field for which the locale has no place in its patterns. */
function addLabelled(parts: Part[], type: string, value: string): void {
  addPart(parts, "literal", ` (${type}: `);
  addPart(parts, type, value);
  addPart(parts, "literal", ")");
}

function addWeekday(parts: Part[], date: Date, { weekday }: DateSettings, before: string): void {
  if (weekday === undefined) return;
  addPart(parts, "literal", before);
  addPart(parts, "weekday", shortened(weekdays[utcDay(date)] as string, weekday));
}

function addTime(parts: Part[], date: Date, settings: DateSettings): void {
  const { hour, minute, second, fractionalSecondDigits, hourCycle } = settings;
  if (hour !== undefined) addPart(parts, "hour", hourText(utcHours(date), settings));
  if (minute !== undefined) {
    if (hour !== undefined) addPart(parts, "literal", ":");
    const alone = (hour ?? second ?? fractionalSecondDigits) === undefined;
    addPart(parts, "minute", padded(utcMinutes(date), alone ? "numeric" : "2-digit"));
  }
  const secondIsLabelled = hour !== undefined && minute === undefined;
  if (!secondIsLabelled) addSeconds(parts, date, settings);
  if (hour !== undefined && (hourCycle === "h12" || hourCycle === "h11")) {
    addPart(parts, "literal", narrowSpace);
    addPart(parts, "dayPeriod", utcHours(date) < 12 ? "AM" : "PM");
  }
  if (secondIsLabelled && second !== undefined) addLabelled(parts, "second", `${utcSeconds(date)}`);
}

function addSeconds(parts: Part[], date: Date, settings: DateSettings): void {
  const { minute, second, fractionalSecondDigits } = settings;
  if (second !== undefined || (minute !== undefined && fractionalSecondDigits !== undefined)) {
    if (minute !== undefined) addPart(parts, "literal", ":");
    addPart(parts, "second", padded(utcSeconds(date), minute === undefined ? "numeric" : "2-digit"));
    if (fractionalSecondDigits !== undefined) addPart(parts, "literal", ".");
  }
  if (fractionalSecondDigits === undefined) return;
  addPart(parts, "fractionalSecond", slice(padStart(`${utcMilliseconds(date)}`, 3, "0"), 0, fractionalSecondDigits));
}

function hourText(hours: number, { hour, hourCycle }: DateSettings): string {
  if (hourCycle === "h23") return padded(hours, "2-digit");
  if (hourCycle === "h24") return padded(hours || 24, "2-digit");
  return padded(hourCycle === "h11" ? hours % 12 : hours % 12 || 12, hour);
}

function monthText(index: number, width: string): string {
  if (width === "numeric" || width === "2-digit") return padded(index + 1, width);
  return shortened(months[index] as string, width);
}

function shortened(name: string, width: string): string {
  if (width === "long") return name;
  return slice(name, 0, width === "short" ? 3 : 1);
}

/** Years before 1 are counted backwards, as 1 BC is the year 0 of `Date`. */
function yearText(year: number, width: string): string {
  const shown = year > 0 ? year : 1 - year;
  return width === "2-digit" ? padded(shown % 100, width) : `${shown}`;
}

function padded(value: number, width: string | undefined): string {
  return width === "2-digit" ? padStart(`${value}`, 2, "0") : `${value}`;
}
