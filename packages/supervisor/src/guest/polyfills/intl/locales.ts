import { indexOf, RangeErrorOf, slice, split, TypeErrorOf, toLowerCase } from "../captured.ts";
import { append, test, toObject, toUpperCase } from "./captured-intl.ts";

/** A `unicode_locale_id` of Unicode's technical standard 35. */
const localeShape =
  /^(?:[a-z]{2,3}|[a-z]{5,8})(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?(?:-(?:[a-z\d]{5,8}|\d[a-z\d]{3}))*(?:-[a-wyz\d](?:-[a-z\d]{2,8})+)*(?:-x(?:-[a-z\d]{1,8})+)?$/i;
const script = /^[a-z]{4}$/i;
const region = /^[a-z]{2}$/i;
const english = /^en(?:-US)?(?:-u-.*)?$/;

/** The one locale whose data there is; ICU, too, falls back to the default locale. */
export const theLocale = "en-US";

/** `Intl.getCanonicalLocales`: the tags in their usual case, each once. Aliases of old tags stay as they are. */
export function canonicalLocales(locales: unknown): string[] {
  const found: string[] = [];
  if (locales === undefined) return found;
  if (typeof locales === "string") {
    append(found, canonicalTag(locales));
    return found;
  }
  if (locales === null) throw new TypeErrorOf("locales must be a string or an array of strings, not null");
  const list = toObject(locales);
  const length = +(list.length as number) || 0;
  for (let index = 0; index < length; index++) {
    if (!(index in list)) continue;
    const tag = list[index];
    if (typeof tag !== "string" && (typeof tag !== "object" || tag === null))
      throw new TypeErrorOf("each of the locales must be a string");
    const canonical = canonicalTag(`${tag as string}`);
    if (!contains(found, canonical)) append(found, canonical);
  }
  return found;
}

/** `supportedLocalesOf` of every class here: only those of American English have data of their own. */
export function supportedLocales(locales: unknown): string[] {
  const all = canonicalLocales(locales);
  const supported: string[] = [];
  for (let index = 0; index < all.length; index++)
    if (test(english, all[index] as string)) append(supported, all[index] as string);
  return supported;
}

let lastGood: unknown = theLocale;

/** Refuses malformed tags; every well-formed one is answered with `theLocale`. */
export function checkLocales(locales: unknown): void {
  if (locales === undefined || locales === lastGood) return;
  canonicalLocales(locales);
  if (typeof locales === "string") lastGood = locales;
}

export function contains(list: readonly unknown[], value: unknown): boolean {
  for (let index = 0; index < list.length; index++) if (list[index] === value) return true;
  return false;
}

function canonicalTag(tag: string): string {
  if (!test(localeShape, tag)) throw malformed(tag);
  const parts = split(tag, "-");
  let canonical = toLowerCase(parts[0] as string);
  let singletons = "";
  for (let index = 1; index < parts.length; index++) {
    const part = toLowerCase(parts[index] as string);
    if (part.length === 1) {
      if (indexOf(singletons, part) >= 0 && indexOf(singletons, "x") < 0) throw malformed(tag);
      singletons += part;
    }
    canonical += `-${singletons === "" ? cased(part, index) : part}`;
  }
  return canonical;
}

function cased(part: string, index: number): string {
  if (index === 1 && test(script, part)) return toUpperCase(slice(part, 0, 1)) + slice(part, 1);
  return index <= 2 && test(region, part) ? toUpperCase(part) : part;
}

function malformed(tag: string): RangeError {
  return new RangeErrorOf(`"${slice(tag, 0, 50)}" is not a language tag; use one such as "en-US"`);
}
