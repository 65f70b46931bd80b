import { indexOf, RangeErrorOf, slice, split } from "../captured.ts";

export type UnitDisplay = "short" | "narrow" | "long";

/** Unit, short sign (plural after "/"), narrow sign if another, plural if it is not the unit and an s. */
const table: { readonly [unit: string]: readonly [short: string, narrow?: string, many?: string] } = {
  __proto__: null as never,
  acre: ["ac"],
  bit: ["bit"],
  byte: ["byte", "B"],
  celsius: ["°C", "°C", "degrees Celsius"],
  centimeter: ["cm"],
  day: ["day/days", "d"],
  degree: ["deg", "°"],
  fahrenheit: ["°F", "°", "degrees Fahrenheit"],
  "fluid-ounce": ["fl oz"],
  foot: ["ft", "′", "feet"],
  gallon: ["gal"],
  gigabit: ["Gb"],
  gigabyte: ["GB"],
  gram: ["g"],
  hectare: ["ha"],
  hour: ["hr", "h"],
  inch: ["in", "″", "inches"],
  kilobit: ["kb"],
  kilobyte: ["kB"],
  kilogram: ["kg"],
  kilometer: ["km"],
  liter: ["L"],
  megabit: ["Mb"],
  megabyte: ["MB"],
  meter: ["m"],
  microsecond: ["μs"],
  mile: ["mi"],
  "mile-scandinavian": ["smi", "smi", "miles-scandinavian"],
  milliliter: ["mL"],
  millimeter: ["mm"],
  millisecond: ["ms"],
  minute: ["min", "m"],
  month: ["mth/mths", "m"],
  nanosecond: ["ns"],
  ounce: ["oz"],
  percent: ["%", "%", "percent"],
  petabyte: ["PB"],
  pound: ["lb", "#"],
  second: ["sec", "s"],
  stone: ["st", "st", "stones"],
  terabit: ["Tb"],
  terabyte: ["TB"],
  week: ["wk/wks", "w"],
  yard: ["yd"],
  year: ["yr/yrs", "y"],
};
const perSigns: { readonly [unit: string]: string } = {
  __proto__: null as never,
  second: "s",
  hour: "h",
  day: "d",
  week: "w",
  month: "m",
  year: "y",
};
const ownPairs: { readonly [pair: string]: string } = {
  __proto__: null as never,
  "mile-per-hour": "mph",
  "mile-per-gallon": "mpg",
};

/** @throws RangeError for a unit that `Intl` does not know */
export function checkUnit(unit: string): void {
  const pair = split(unit, "-per-");
  const known = pair.length <= 2 && table[pair[0] as string] && (pair.length === 1 || table[pair[1] as string]);
  if (known === undefined || known === false)
    throw new RangeErrorOf(`"${unit}" is not a unit such as "kilometer" or "byte-per-second"`);
}

/** What follows the number, with the space before it. */
export function unitSuffix(unit: string, display: UnitDisplay, singular: boolean): string {
  const at = indexOf(unit, "-per-");
  const first = at < 0 ? unit : slice(unit, 0, at);
  const sign = at < 0 ? unitName(first, display, singular) : pairName(unit, at, display, singular);
  const close = display === "narrow" || (display === "short" && (sign[0] === "°" || sign[0] === "%"));
  return close ? sign : ` ${sign}`;
}

function pairName(unit: string, at: number, display: UnitDisplay, singular: boolean): string {
  const first = slice(unit, 0, at);
  const second = slice(unit, at + 5);
  const name = unitName(first, display, singular);
  if (display === "long") return `${name} per ${unitName(second, "long", true)}`;
  return ownPairs[unit] ?? `${name}/${perSigns[second] ?? unitName(second, display, true)}`;
}

function unitName(unit: string, display: UnitDisplay, singular: boolean): string {
  const row = table[unit] as readonly [string, string?, string?];
  if (display === "narrow" && row[1] !== undefined) return row[1];
  if (display === "long") return longName(unit, row[2], singular);
  const divide = indexOf(row[0], "/");
  if (divide < 0) return row[0];
  return singular ? slice(row[0], 0, divide) : slice(row[0], divide + 1);
}

function longName(unit: string, many: string | undefined, singular: boolean): string {
  if (singular) {
    if (unit === "celsius") return "degree Celsius";
    if (unit === "fahrenheit") return "degree Fahrenheit";
    return unit === "fluid-ounce" ? "fluid ounce" : unit;
  }
  return many ?? (unit === "fluid-ounce" ? "fluid ounces" : `${unit}s`);
}

export const unitNames: readonly string[] = /* @__PURE__ */ Object.keys(table);
