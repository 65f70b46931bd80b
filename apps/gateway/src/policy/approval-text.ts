import type { JsonValue } from "@code-mode/contract";

/** What a person can read of one text; the middle of longer ones is folded, so that neither end can hide anything. */
const maxTextLength = 2_000;

/** Characters that move the cursor, change the direction of text or show nothing. */
const hiddenCharacters =
  /[\p{Cc}\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

/**
 * The arguments of a call as a person may judge them: hidden characters are spelled out, and what does not fit is folded
 * in the middle with its length, never cut at the end without a word.
 */
export function approvalText(input: JsonValue): string {
  const text = JSON.stringify(input, undefined, 2).replace(hiddenCharacters, spell);
  if (text.length <= maxTextLength) return text;
  const half = maxTextLength / 2;
  return `${text.slice(0, half)}\n… ${text.length - maxTextLength} characters folded …\n${text.slice(-half)}`;
}

function spell(character: string): string {
  return character === "\n" ? character : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
