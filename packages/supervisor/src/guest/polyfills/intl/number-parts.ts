import { slice } from "../captured.ts";
import { abs, addPart, floor, max, min, type Part, test } from "./captured-intl.ts";
import { type CurrencyDisplay, currencyName, currencySymbol } from "./currencies.ts";
import { type Decimal, shifted } from "./decimal.ts";
import { type DigitOptions, type RoundedDigits, roundDigits } from "./digit-options.ts";
import { type UnitDisplay, unitSuffix } from "./units.ts";

export type NumberSettings = {
  readonly style: "decimal" | "percent" | "currency" | "unit";
  readonly currency: string;
  readonly currencyDisplay: CurrencyDisplay;
  readonly currencySign: "standard" | "accounting";
  readonly unit: string;
  readonly unitDisplay: UnitDisplay;
  readonly notation: "standard" | "scientific" | "engineering" | "compact";
  readonly compactDisplay: "short" | "long";
  readonly useGrouping: "auto" | "always" | "min2" | false;
  readonly signDisplay: "auto" | "never" | "always" | "exceptZero" | "negative";
  readonly digits: DigitOptions;
};

type Scaled = RoundedDigits & { readonly exponent: number };

const compactNames = {
  short: { 3: "K", 6: "M", 9: "B", 12: "T" },
  long: { 3: "thousand", 6: "million", 9: "billion", 12: "trillion" },
} as const;
const endsInSymbol = /[\p{S}\p{Z}]$/u;

/** A number as en-US writes it. */
export function numberParts(value: Decimal, settings: NumberSettings): Part[] {
  const scaled = scale(settings.style === "percent" ? shifted(value, 2) : value, settings);
  const isZero = value.special === "" && scaled.rounded.digits === "";
  const sign = signOf(value, isZero, settings.signDisplay);
  const inParentheses = sign === "-" && hasAccounting(settings, scaled.exponent);
  const parts: Part[] = [];
  if (inParentheses) addPart(parts, "literal", "(");
  else addPart(parts, sign === "-" ? "minusSign" : "plusSign", sign);
  addCurrencyBefore(parts, value, settings);
  addNumber(parts, value, scaled, settings);
  addSuffix(parts, isSingular(value, scaled, settings), settings);
  if (inParentheses) addPart(parts, "literal", ")");
  return parts;
}

/** The patterns of compact amounts have no parentheses. */
function hasAccounting({ style, currencySign, currencyDisplay, notation }: NumberSettings, exponent: number): boolean {
  if (style !== "currency" || currencySign !== "accounting" || currencyDisplay === "name") return false;
  return notation !== "compact" || exponent === 0;
}

function scale(value: Decimal, { notation, digits }: NumberSettings): Scaled {
  const step = notation === "scientific" ? 1 : 3;
  let exponent = 0;
  if (notation !== "standard" && value.digits !== "") exponent = floor((value.point - 1) / step) * step;
  if (notation === "compact") exponent = max(0, min(12, exponent));
  const result = roundDigits(shifted(value, -exponent), digits);
  const overflows =
    notation !== "standard" && result.rounded.point > step && !(notation === "compact" && exponent === 12);
  if (!overflows) return { ...result, exponent };
  return { ...roundDigits(shifted(value, -exponent - step), digits), exponent: exponent + step };
}

function signOf(value: Decimal, isZero: boolean, display: NumberSettings["signDisplay"]): string {
  if (display === "never") return "";
  if (value.negative) return isZero && (display === "negative" || display === "exceptZero") ? "" : "-";
  if (display === "always") return "+";
  return display === "exceptZero" && !isZero && value.special !== "nan" ? "+" : "";
}

function addCurrencyBefore(parts: Part[], value: Decimal, settings: NumberSettings): void {
  if (settings.style !== "currency" || settings.currencyDisplay === "name") return;
  const symbol = currencySymbol(settings.currency, settings.currencyDisplay);
  addPart(parts, "currency", symbol);
  if (value.special === "" && !test(endsInSymbol, symbol)) addPart(parts, "literal", "\u00a0");
}

function addNumber(parts: Part[], value: Decimal, scaled: Scaled, settings: NumberSettings): void {
  if (value.special !== "") {
    addPart(parts, value.special, value.special === "nan" ? "NaN" : "∞");
    return;
  }
  addInteger(parts, scaled.integer, leastGrouped(settings));
  if (scaled.fraction !== "") {
    addPart(parts, "decimal", ".");
    addPart(parts, "fraction", scaled.fraction);
  }
  if (settings.notation === "compact") addCompactName(parts, scaled.exponent, settings);
  else if (settings.notation !== "standard") addExponent(parts, scaled.exponent);
}

/** The fewest digits that are grouped. */
function leastGrouped({ useGrouping, notation }: NumberSettings): number {
  if (useGrouping === false) return 1 / 0;
  return useGrouping === "min2" || (useGrouping === "auto" && notation === "compact") ? 5 : 4;
}

function addInteger(parts: Part[], integer: string, leastDigits: number): void {
  let start = 0;
  const grouped = integer.length >= leastDigits;
  for (let end = grouped ? integer.length % 3 || 3 : integer.length; end <= integer.length; end += 3) {
    if (start > 0) addPart(parts, "group", ",");
    addPart(parts, "integer", slice(integer, start, end));
    start = end;
  }
}

function addCompactName(parts: Part[], exponent: number, settings: NumberSettings): void {
  if (exponent === 0) return;
  const isSymbol = settings.style === "currency" && settings.currencyDisplay !== "name";
  const display = isSymbol ? "short" : settings.compactDisplay;
  if (display === "long") addPart(parts, "literal", " ");
  addPart(parts, "compact", compactNames[display][exponent as 3]);
}

function addExponent(parts: Part[], exponent: number): void {
  addPart(parts, "exponentSeparator", "E");
  if (exponent < 0) addPart(parts, "exponentMinusSign", "-");
  addPart(parts, "exponentInteger", `${abs(exponent)}`);
}

function isSingular(value: Decimal, { integer, fraction, exponent }: Scaled, { notation }: NumberSettings): boolean {
  return value.special === "" && integer === "1" && fraction === "" && !(notation === "compact" && exponent > 0);
}

function addSuffix(parts: Part[], singular: boolean, settings: NumberSettings): void {
  const { style, currency, unit, unitDisplay } = settings;
  if (style === "percent") addPart(parts, settings.notation === "compact" ? "unit" : "percentSign", "%");
  if (style === "unit") addWithSpace(parts, "unit", unitSuffix(unit, unitDisplay, singular));
  if (style === "currency" && settings.currencyDisplay === "name")
    addWithSpace(parts, "currency", ` ${currencyName(currency, singular)}`);
}

function addWithSpace(parts: Part[], type: string, text: string): void {
  if (text[0] === " ") addPart(parts, "literal", " ");
  addPart(parts, type, text[0] === " " ? slice(text, 1) : text);
}
