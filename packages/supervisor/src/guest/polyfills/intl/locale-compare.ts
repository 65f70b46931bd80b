import { TypeErrorOf } from "../captured.ts";
import { compareTexts, resolveCollator } from "./collator.ts";
import { checkLocales } from "./locales.ts";
import { toOptions } from "./options.ts";

const usual = /* @__PURE__ */ resolveCollator({});

type LocaleMethod = (self: unknown, that: unknown, locales: unknown, options: unknown) => number;

/** `localeCompare` of strings. */
export function createLocaleCompare(): readonly LocaleMethod[] {
  return [
    (self, that, locales, options) => {
      if (self === undefined || self === null) throw new TypeErrorOf("localeCompare needs a string");
      checkLocales(locales);
      const settings = options === undefined ? usual : resolveCollator(toOptions(options));
      return compareTexts(`${self as string}`, `${that as string}`, settings);
    },
  ];
}
