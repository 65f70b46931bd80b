import { defineProperty, RangeErrorOf, split } from "../captured.ts";
import { append } from "./captured-intl.ts";
import { Collator } from "./collator.ts";
import { DateTimeFormat } from "./date-time-format.ts";
import { ListFormat } from "./list-format.ts";
import { canonicalLocales } from "./locales.ts";
import { NumberFormat } from "./number-format.ts";
import { PluralRules } from "./plural-rules.ts";
import { publish } from "./publish.ts";
import { RelativeTimeFormat } from "./relative-time-format.ts";
import { unitNames } from "./units.ts";

/** The guest's `Intl` (GUEST-7): English of the United States, in UTC. */
export function createIntl(): object {
  const intl = {};
  const { getCanonicalLocales, supportedValuesOf } = functions;
  member(intl, "getCanonicalLocales", getCanonicalLocales);
  member(intl, "supportedValuesOf", supportedValuesOf);
  member(intl, "Collator", publish(Collator, "Collator", true));
  member(intl, "DateTimeFormat", publish(DateTimeFormat, "DateTimeFormat", true));
  member(intl, "ListFormat", publish(ListFormat, "ListFormat", false));
  member(intl, "NumberFormat", publish(NumberFormat, "NumberFormat", true));
  member(intl, "PluralRules", publish(PluralRules, "PluralRules", false));
  member(intl, "RelativeTimeFormat", publish(RelativeTimeFormat, "RelativeTimeFormat", false));
  defineProperty(intl, Symbol.toStringTag, { value: "Intl", configurable: true });
  return intl;
}

const functions = {
  getCanonicalLocales: (locales?: unknown) => canonicalLocales(locales),
  supportedValuesOf: (key?: unknown) => valuesOf(`${key as string}`),
};

function valuesOf(key: string): string[] {
  switch (key) {
    case "calendar":
      return ["gregory"];
    case "collation":
      return ["default"];
    case "numberingSystem":
      return ["latn"];
    case "timeZone":
      return ["UTC"];
    case "unit":
      return copyOf(unitNames);
    case "currency":
      return split(
        "AUD,BRL,CAD,CHF,CNY,CZK,DKK,EUR,GBP,HKD,HUF,ILS,INR,JPY,KRW,MXN,NOK,NZD,PHP,PLN,SEK,SGD,THB,TRY,TWD,USD,VND,ZAR",
        ",",
      );
    default:
      throw new RangeErrorOf(`supportedValuesOf knows no values of "${key}"`);
  }
}

function copyOf(list: readonly string[]): string[] {
  const copy: string[] = [];
  for (let index = 0; index < list.length; index++) append(copy, list[index] as string);
  return copy;
}

function member(target: object, key: string, value: unknown): void {
  defineProperty(target, key, { value, writable: true, configurable: true });
}
