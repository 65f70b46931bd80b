import { bigintValue, joinParts, numberValue, toObject } from "./captured-intl.ts";
import { toDecimal } from "./decimal.ts";
import { checkLocales } from "./locales.ts";
import { resolveNumber } from "./number-format.ts";
import { numberParts } from "./number-parts.ts";
import { toOptions } from "./options.ts";

const usual = /* @__PURE__ */ resolveNumber({});

type LocaleMethod = (self: unknown, locales: unknown, options: unknown) => string;

/** `toLocaleString` of numbers, BigInts and arrays, in the order in which the prelude installs them. */
export function createLocaleNumbers(): readonly LocaleMethod[] {
  return [
    (self, locales, options) => showNumber(numberValue(self), locales, options),
    (self, locales, options) => showNumber(bigintValue(self), locales, options),
    (self, locales, options) => showList(toObject(self) as unknown as ArrayLike<unknown>, locales, options),
  ];
}

function showNumber(value: number | bigint, locales: unknown, options: unknown): string {
  checkLocales(locales);
  const settings = options === undefined ? usual : resolveNumber(toOptions(options));
  return joinParts(numberParts(toDecimal(value), settings));
}

function showList(list: ArrayLike<unknown>, locales: unknown, options: unknown): string {
  const { length } = list;
  let text = "";
  for (let index = 0; index < length; index++) {
    const item = list[index] as { toLocaleString(locales: unknown, options: unknown): string } | null | undefined;
    if (index > 0) text += ",";
    if (item !== undefined && item !== null) text += item.toLocaleString(locales, options);
  }
  return text;
}
