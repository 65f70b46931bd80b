import { type CollationKey, collationKey } from "./collation-key.ts";
import { compareAscii } from "./compare-ascii.ts";
import { checkLocales, theLocale } from "./locales.ts";
import { choose, flag, type Options, toOptions } from "./options.ts";

type Sensitivity = "base" | "accent" | "case" | "variant";

export type CollatorSettings = {
  readonly usage: "sort" | "search";
  readonly sensitivity: Sensitivity;
  readonly ignorePunctuation: boolean;
  readonly numeric: boolean;
  readonly caseFirst: "upper" | "lower" | "false";
};

/** `Intl.Collator`, before `publish`. */
export class Collator {
  readonly #settings: CollatorSettings;
  #compare: ((left: unknown, right: unknown) => number) | undefined;

  constructor(locales?: unknown, options?: unknown) {
    checkLocales(locales);
    this.#settings = resolveCollator(toOptions(options));
  }

  get compare(): (left: unknown, right: unknown) => number {
    const settings = this.#settings;
    this.#compare ??= (left, right) => compareTexts(`${left as string}`, `${right as string}`, settings);
    return this.#compare;
  }

  resolvedOptions(): object {
    const { usage, sensitivity, ignorePunctuation, numeric, caseFirst } = this.#settings;
    return { locale: theLocale, usage, sensitivity, ignorePunctuation, collation: "default", numeric, caseFirst };
  }
}

/** How texts are compared, from the options of a program. */
export function resolveCollator(options: Options): CollatorSettings {
  return {
    usage: choose(options, "usage", ["sort", "search"], "sort"),
    numeric: flag(options, "numeric") ?? false,
    caseFirst: choose(options, "caseFirst", ["upper", "lower", "false"], "false"),
    sensitivity: choose(options, "sensitivity", ["base", "accent", "case", "variant"], "variant"),
    ignorePunctuation: flag(options, "ignorePunctuation") ?? false,
  };
}

/** -1, 0 or 1. */
export function compareTexts(left: string, right: string, settings: CollatorSettings): number {
  if (left === right) return 0;
  const quick = compareAscii(left, right, settings);
  return quick ?? compareKeys(collationKey(left, settings), collationKey(right, settings), settings);
}

function compareKeys(left: CollationKey, right: CollationKey, settings: CollatorSettings): number {
  const { sensitivity, caseFirst } = settings;
  const seesAccents = sensitivity === "accent" || sensitivity === "variant";
  const seesCase = sensitivity === "case" || sensitivity === "variant";
  if (left.base !== right.base) return left.base < right.base ? -1 : 1;
  if (seesAccents && left.accents !== right.accents) return left.accents < right.accents ? -1 : 1;
  if (!seesCase || left.cases === right.cases) return 0;
  return left.cases < right.cases === (caseFirst !== "upper") ? -1 : 1;
}
