import { RangeErrorOf, slice } from "../captured.ts";
import { abs, append, floor, joinParts } from "./captured-intl.ts";
import { toDecimal } from "./decimal.ts";
import { checkLocales, theLocale } from "./locales.ts";
import { resolveNumber } from "./number-format.ts";
import { numberParts } from "./number-parts.ts";
import { choose, toOptions } from "./options.ts";

type RelativePart = { type: string; value: string; unit?: string };
type UnitTexts = readonly [short: string, narrow: string, named: string | undefined];

const units: { readonly [unit: string]: UnitTexts } = {
  __proto__: null as never,
  second: ["sec.", "s", undefined],
  minute: ["min.", "m", undefined],
  hour: ["hr.", "h", undefined],
  day: ["day", "d", undefined],
  week: ["wk.", "w", "wk."],
  month: ["mo.", "mo", "mo."],
  quarter: ["qtr.", "q", "qtr."],
  year: ["yr.", "y", "yr."],
};
const decimalSettings = /* @__PURE__ */ resolveNumber({});

/** `Intl.RelativeTimeFormat`, before `publish`. */
export class RelativeTimeFormat {
  readonly #style: "long" | "short" | "narrow";
  readonly #numeric: "always" | "auto";

  constructor(locales?: unknown, options?: unknown) {
    checkLocales(locales);
    const given = toOptions(options);
    this.#style = choose(given, "style", ["long", "short", "narrow"], "long");
    this.#numeric = choose(given, "numeric", ["always", "auto"], "always");
  }

  format(value: unknown, unit: unknown): string {
    return joinParts(this.#parts(value, unit));
  }

  formatToParts(value: unknown, unit: unknown): RelativePart[] {
    return this.#parts(value, unit);
  }

  resolvedOptions(): object {
    return { locale: theLocale, style: this.#style, numeric: this.#numeric, numberingSystem: "latn" };
  }

  #parts(value: unknown, unit: unknown): RelativePart[] {
    const amount = +(value as number);
    const number = toDecimal(amount);
    const name = singularUnit(`${unit as string}`);
    if (number.special !== "") throw new RangeErrorOf("the value must be a finite number");
    const named = this.#numeric === "auto" ? namedTime(amount, name, this.#style) : undefined;
    const parts: RelativePart[] = [];
    if (named !== undefined) {
      append(parts, { type: "literal", value: named });
      return parts;
    }
    if (!number.negative) append(parts, { type: "literal", value: "in " });
    const digits = numberParts({ ...number, negative: false }, decimalSettings);
    for (let index = 0; index < digits.length; index++)
      append(parts, { ...(digits[index] as RelativePart), unit: name });
    const text = unitText(name, this.#style, joinParts(digits) === "1");
    append(parts, { type: "literal", value: text + (number.negative ? " ago" : "") });
    return parts;
  }
}

function singularUnit(unit: string): string {
  const singular = unit[unit.length - 1] === "s" ? slice(unit, 0, -1) : unit;
  if (units[singular] === undefined) throw new RangeErrorOf(`"${unit}" is not a unit of time such as "day"`);
  return singular;
}

function unitText(unit: string, style: string, singular: boolean): string {
  const row = units[unit] as UnitTexts;
  if (style === "narrow") return row[1];
  if (style === "long") return ` ${unit}${singular ? "" : "s"}`;
  if (unit === "day") return singular ? " day" : " days";
  return unit === "quarter" && !singular ? " qtrs." : ` ${row[0]}`;
}

/** "yesterday", "now", "next year": the words for one unit from now, if English has them. */
function namedTime(value: number, unit: string, style: string): string | undefined {
  // ICU takes what is within half a hundredth of a whole number for it.
  const offset = (floor(abs(value) * 100 + 0.5) / 100) * (value < 0 ? -1 : 1);
  if (offset !== 0 && abs(offset) !== 1) return undefined;
  if (unit === "second") return offset === 0 ? "now" : undefined;
  if (unit === "day") return offset === 0 ? "today" : offset < 0 ? "yesterday" : "tomorrow";
  const abbreviated = (units[unit] as UnitTexts)[2];
  if (offset !== 0 && abbreviated === undefined) return undefined;
  const word = offset === 0 ? "this" : offset < 0 ? "last" : "next";
  return `${word} ${style === "long" ? unit : (abbreviated ?? unit)}`;
}
