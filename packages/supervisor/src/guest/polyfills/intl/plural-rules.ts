import { append, objectCreate } from "./captured-intl.ts";
import { toDecimal } from "./decimal.ts";
import { type DigitOptions, describeDigits, describeRounding, resolveDigits, roundDigits } from "./digit-options.ts";
import { checkLocales, theLocale } from "./locales.ts";
import { choose, plainObject, toOptions } from "./options.ts";

const endings: { readonly [digit: string]: string } = { __proto__: null as never, 1: "one", 2: "two", 3: "few" };

/** `Intl.PluralRules`, before `publish`. */
export class PluralRules {
  readonly #type: "cardinal" | "ordinal";
  readonly #digits: DigitOptions;

  constructor(locales?: unknown, options?: unknown) {
    checkLocales(locales);
    const given = toOptions(options);
    this.#type = choose(given, "type", ["cardinal", "ordinal"], "cardinal");
    this.#digits = resolveDigits(given, { least: 0, most: 3 }, false);
  }

  select(value?: unknown): string {
    const decimal = toDecimal(+(value as number));
    if (decimal.special !== "") return "other";
    const { integer, fraction } = roundDigits(decimal, this.#digits);
    if (this.#type === "cardinal") return +integer === 1 && fraction === "" ? "one" : "other";
    if (+fraction !== 0 || integer[integer.length - 2] === "1") return "other";
    return endings[integer[integer.length - 1] as string] ?? "other";
  }

  resolvedOptions(): object {
    const target = objectCreate(null);
    target.locale = theLocale;
    target.type = this.#type;
    describeDigits(target, this.#digits);
    const categories: string[] = [];
    if (this.#type === "ordinal") append(categories, "few");
    append(categories, "one");
    if (this.#type === "ordinal") append(categories, "two");
    append(categories, "other");
    target.pluralCategories = categories;
    describeRounding(target, this.#digits);
    return plainObject(target);
  }
}
