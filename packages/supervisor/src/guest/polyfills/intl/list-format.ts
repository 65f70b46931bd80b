import { TypeErrorOf } from "../captured.ts";
import { addPart, append, joinParts, type Part } from "./captured-intl.ts";
import { checkLocales, theLocale } from "./locales.ts";
import { choose, toOptions } from "./options.ts";

/** `Intl.ListFormat`, before `publish`. */
export class ListFormat {
  readonly #type: "conjunction" | "disjunction" | "unit";
  readonly #style: "long" | "short" | "narrow";

  constructor(locales?: unknown, options?: unknown) {
    checkLocales(locales);
    const given = toOptions(options);
    this.#type = choose(given, "type", ["conjunction", "disjunction", "unit"], "conjunction");
    this.#style = choose(given, "style", ["long", "short", "narrow"], "long");
  }

  format(list?: unknown): string {
    return joinParts(this.#parts(list));
  }

  formatToParts(list?: unknown): Part[] {
    return this.#parts(list);
  }

  #parts(list: unknown): Part[] {
    const texts = textsOf(list);
    const glue = this.#type === "unit" && this.#style === "narrow" ? " " : ", ";
    const word = this.#word();
    const parts: Part[] = [];
    for (let index = 0; index < texts.length; index++) {
      const isLast = index === texts.length - 1;
      const before = isLast && word !== "" ? `${texts.length > 2 ? ", " : " "}${word} ` : glue;
      if (index > 0) addPart(parts, "literal", before);
      append(parts, { type: "element", value: texts[index] as string });
    }
    return parts;
  }

  resolvedOptions(): object {
    return { locale: theLocale, type: this.#type, style: this.#style };
  }

  #word(): string {
    if (this.#type === "disjunction") return "or";
    if (this.#type === "unit" || this.#style === "narrow") return "";
    return this.#style === "long" ? "and" : "&";
  }
}

/** Reads any iterable by its own iterator, which is what the standard asks for. */
function textsOf(list: unknown): string[] {
  const texts: string[] = [];
  if (list === undefined) return texts;
  for (const item of list as Iterable<unknown>) {
    if (typeof item !== "string") throw new TypeErrorOf("each item of the list must be a string");
    append(texts, item);
  }
  return texts;
}
