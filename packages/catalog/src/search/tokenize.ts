import { stemmer } from "stemmer";

const wordPattern = /[\p{L}\p{N}\p{M}]+/gu;
const partPattern = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+|\p{Lu}|[\p{Lo}\p{Lm}\p{M}]+/gu;
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const plain = /^[a-z]+$/;

/** A longer run of letters is no word but data; scripts without spaces have whole sentences in one run. */
const maxWordLength = 40;
const maxUnspacedLength = 1_000;

/**
 * Splits text into search terms: camelCase and snake_case parts, stemmed, in lower case. Remembers every word it has
 * seen, which makes an index cheap; a tokenizer that lives on must not read hostile text.
 */
export class Tokenizer {
  readonly #known = new Map<string, readonly string[]>();

  /** Terms of a text, in order, with repetitions. */
  terms(text: string): string[] {
    const terms: string[] = [];
    for (const word of text.match(wordPattern) ?? []) for (const term of this.#termsOf(word)) terms.push(term);
    return terms;
  }

  #termsOf(word: string): readonly string[] {
    const known = this.#known.get(word);
    if (known !== undefined) return known;
    const terms = splitWord(word);
    this.#known.set(word, terms);
    return terms;
  }
}

/** The stem of a lower-case word. */
export function stemOf(word: string): string {
  return plain.test(word) && word.length > 2 ? stemmer(oneSpelling(word)) : word;
}

function splitWord(word: string): string[] {
  if (unspaced.test(word)) return word.length > maxUnspacedLength ? [] : pairs(word);
  if (word.length > maxWordLength) return [];
  if (plain.test(word)) return [stemOf(word)];
  const parts = word.match(partPattern) ?? [];
  // the whole word too: "GitHub" must be found as "github", "OneDrive" as "onedrive"
  const whole = stemOf(word.toLowerCase());
  return parts.length > 1 ? [whole, ...parts.map((part) => stemOf(part.toLowerCase()))] : [whole];
}

/** Scripts without spaces are searched by overlapping pairs of characters. */
function pairs(word: string): string[] {
  const characters = [...word.toLowerCase()];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

/** British and American spelling meet: what the result looks like does not matter, only that both give the same. */
function oneSpelling(word: string): string {
  return word
    .replace(/(?<=\w{3})is(e|ed|es|er|ers|ing|ation|ations)$/, "iz$1")
    .replace(/(?<=\w{3})our(s|ed|ing|al)?$/, "or$1");
}
