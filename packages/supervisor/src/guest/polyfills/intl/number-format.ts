import { RangeErrorOf, TypeErrorOf } from "../captured.ts";
import { joinParts, objectCreate, type Part, test, toUpperCase } from "./captured-intl.ts";
import { currencyDigits } from "./currencies.ts";
import { toDecimal } from "./decimal.ts";
import { describeDigits, describeRounding, resolveDigits } from "./digit-options.ts";
import { checkLocales, contains, theLocale } from "./locales.ts";
import { type NumberSettings, numberParts } from "./number-parts.ts";
import { choose, type Options, plainObject, toOptions } from "./options.ts";
import { checkUnit } from "./units.ts";

const currencyShape = /^[a-z]{3}$/i;
const groupings = ["min2", "auto", "always"] as const;

/** `Intl.NumberFormat`, before `publish`. */
export class NumberFormat {
  readonly #settings: NumberSettings;
  #format: ((value: unknown) => string) | undefined;

  constructor(locales?: unknown, options?: unknown) {
    checkLocales(locales);
    this.#settings = resolveNumber(toOptions(options));
  }

  get format(): (value: unknown) => string {
    const settings = this.#settings;
    this.#format ??= (value) => joinParts(numberParts(toDecimal(value), settings));
    return this.#format;
  }

  formatToParts(value?: unknown): Part[] {
    return numberParts(toDecimal(value), this.#settings);
  }

  resolvedOptions(): object {
    return describeNumber(this.#settings);
  }
}

/** What formatted numbers look like, from the options of a program. */
export function resolveNumber(options: Options): NumberSettings {
  const style = choose(options, "style", ["decimal", "percent", "currency", "unit"], "decimal");
  const currency = resolveCurrency(options, style);
  const currencyDisplay = choose(options, "currencyDisplay", ["code", "symbol", "narrowSymbol", "name"], "symbol");
  const currencySign = choose(options, "currencySign", ["standard", "accounting"], "standard");
  const unit = resolveUnit(options, style);
  const unitDisplay = choose(options, "unitDisplay", ["short", "narrow", "long"], "short");
  const notation = choose(options, "notation", ["standard", "scientific", "engineering", "compact"], "standard");
  const isAmount = style === "currency" && notation === "standard";
  const least = isAmount ? currencyDigits(currency) : 0;
  const most = isAmount ? least : style === "percent" ? 0 : 3;
  const digits = resolveDigits(options, { least, most }, notation === "compact");
  const compactDisplay = choose(options, "compactDisplay", ["short", "long"], "short");
  const useGrouping = resolveGrouping(options.useGrouping, notation === "compact" ? "min2" : "auto");
  const signs = ["auto", "never", "always", "exceptZero", "negative"] as const;
  const signDisplay = choose(options, "signDisplay", signs, "auto");
  const shown = { style, currency, currencyDisplay, currencySign, unit, unitDisplay };
  return { ...shown, notation, compactDisplay, useGrouping, signDisplay, digits };
}

function resolveCurrency(options: Options, style: string): string {
  const { currency } = options;
  if (currency === undefined) {
    if (style === "currency") throw new TypeErrorOf('style "currency" needs the option currency, such as "USD"');
    return "";
  }
  const code = `${currency as string}`;
  if (!test(currencyShape, code)) throw new RangeErrorOf(`"${code}" is not a currency code such as "USD"`);
  return toUpperCase(code);
}

function resolveUnit(options: Options, style: string): string {
  const { unit } = options;
  if (unit === undefined) {
    if (style === "unit") throw new TypeErrorOf('style "unit" needs the option unit, such as "kilometer"');
    return "";
  }
  checkUnit(`${unit as string}`);
  return `${unit as string}`;
}

function resolveGrouping(value: unknown, fallback: "min2" | "auto"): NumberSettings["useGrouping"] {
  if (value === undefined || value === "true" || value === "false") return fallback;
  if (value === true) return "always";
  if (value === false || value === null || value === 0 || value === "") return false;
  const text = `${value as string}`;
  if (!contains(groupings, text))
    throw new RangeErrorOf(`option useGrouping must be a boolean, min2, auto or always, not ${text}`);
  return text as "auto";
}

function describeNumber(settings: NumberSettings): object {
  const { style, notation, digits } = settings;
  const target = objectCreate(null);
  target.locale = theLocale;
  target.numberingSystem = "latn";
  target.style = style;
  if (style === "currency") {
    target.currency = settings.currency;
    target.currencyDisplay = settings.currencyDisplay;
    target.currencySign = settings.currencySign;
  }
  if (style === "unit") {
    target.unit = settings.unit;
    target.unitDisplay = settings.unitDisplay;
  }
  describeDigits(target, digits);
  target.useGrouping = settings.useGrouping;
  target.notation = notation;
  if (notation === "compact") target.compactDisplay = settings.compactDisplay;
  target.signDisplay = settings.signDisplay;
  describeRounding(target, digits);
  return plainObject(target);
}
