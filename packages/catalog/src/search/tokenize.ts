import { stemmer } from "stemmer";

const wordPattern = /[\p{L}\p{N}\p{M}]+/gu;
const partPattern = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+|\p{Lu}|[\p{Lo}\p{Lm}\p{M}]+/gu;
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const plain = /^[a-z]+$/;

/** A longer run of letters is no word but data. */
const maxWordLength = 40;

/** Splits text into search terms: camelCase and snake_case parts, stemmed, lower case. Remembers stems, which are costly. */
export class Tokenizer {
  readonly #stems = new Map<string, string>();

  /** Terms of a text, in order, with repetitions. */
  terms(text: string): string[] {
    const terms: string[] = [];
    for (const [word] of text.matchAll(wordPattern)) if (word.length <= maxWordLength) this.#addWord(word, terms);
    return terms;
  }

  /** The stem of a lower-case word. */
  stem(word: string): string {
    let stem = this.#stems.get(word);
    if (stem === undefined) {
      stem = plain.test(word) && word.length > 2 ? stemmer(oneSpelling(word)) : word;
      this.#stems.set(word, stem);
    }
    return stem;
  }

  #addWord(word: string, terms: string[]): void {
    if (plain.test(word)) {
      terms.push(this.stem(word));
      return;
    }
    if (unspaced.test(word)) {
      addPairs(word, terms);
      return;
    }
    const parts = word.match(partPattern) ?? [];
    // the whole word too: "GitHub" must be found as "github", "OneDrive" as "onedrive"
    terms.push(this.stem(word.toLowerCase()));
    if (parts.length > 1) for (const part of parts) terms.push(this.stem(part.toLowerCase()));
  }
}

/** Scripts without spaces are searched by overlapping pairs of characters. */
function addPairs(word: string, terms: string[]): void {
  const characters = [...word.toLowerCase()];
  if (characters.length === 1) terms.push(word.toLowerCase());
  for (let index = 0; index + 1 < characters.length; index++) terms.push(`${characters[index]}${characters[index + 1]}`);
}

/** British and American spelling meet: what the result looks like does not matter, only that both give the same. */
function oneSpelling(word: string): string {
  return word.replace(/(?<=\w{3})is(e|ed|es|er|ers|ing|ation|ations)$/, "iz$1").replace(/(?<=\w{3})our(s|ed|ing|al)?$/, "or$1");
}
