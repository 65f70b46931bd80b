import { charCodeAt, exec, fromCharCode, indexOf, normalize, slice, toLowerCase } from "../captured.ts";
import { test } from "./captured-intl.ts";

/** A text's keys: comparing base keys, then accents, then cases as plain strings gives the order of en-US. */
export type CollationKey = { readonly base: string; readonly accents: string; readonly cases: string };

export type KeyOptions = { readonly numeric: boolean; readonly ignorePunctuation: boolean };

/** Punctuation and signs in their order, which is not that of their codes. All come before digits. */
const marks = "\t\n\v\f\r\u0085\u2028\u2029 _-–—,;:!¡?¿.…·'‘’‚\"“”„«»()[]{}§¶@*/\\&#%‰†‡•`´˜^¨°©®+±÷×<=>|¦~¬¤¢$£¥€";
const lastPunctuation = /* @__PURE__ */ indexOf(marks, "•");
/** Accents in their order. */
const accentOrder = "\u0301\u0300\u0306\u0302\u030c\u030a\u0308\u030b\u0303\u0307\u0338\u0327\u0328\u0304";
/** Letters that sort as others with a mark of their own. */
const variants: { readonly [letter: string]: string } = {
  __proto__: null as never,
  æ: "ae",
  œ: "oe",
  ß: "ss",
  ø: "o",
  đ: "d",
  ð: "d",
  ł: "l",
};
const combining = /^\p{M}$/u;
const sign = /^[\p{S}\p{P}\p{Z}]/u;
const surrogate = /^[\ud800-\udfff]/;
const digitRun = /^0*(\d*)/;
const firstDigit = 0x200;
const numberMark = "\u020f";
const firstLetter = 0x210;
const otherSign = "\u01ff";
const otherLetter = "\u0400";

/** The keys of a text. */
export function collationKey(text: string, options: KeyOptions): CollationKey {
  const plain = normalize(text, "NFD");
  const key = { base: "", accents: "", cases: "" };
  for (let index = 0; index < plain.length; index++) {
    if (options.numeric && isDigit(charCodeAt(plain, index))) index += addNumber(key, plain, index) - 1;
    else addUnit(key, plain[index] as string, options);
  }
  return key;
}

type OpenKey = { base: string; accents: string; cases: string };

function addUnit(key: OpenKey, unit: string, { ignorePunctuation }: KeyOptions): void {
  const code = charCodeAt(unit, 0);
  if (isDigit(code)) {
    addElement(key, fromCharCode(firstDigit + code - 48), "0");
    return;
  }
  const mark = indexOf(marks, unit === "\u00a0" || unit === "\u202f" ? " " : unit);
  if (mark >= 0) {
    if (!ignorePunctuation || mark > lastPunctuation) addElement(key, fromCharCode(mark + 1), "0");
  } else if (code >= 32 && (code < 127 || code > 159)) addLetter(key, unit, code);
}

function addLetter(key: OpenKey, unit: string, code: number): void {
  if (code > 127 && test(combining, unit)) {
    const place = indexOf(accentOrder, unit);
    key.accents += place < 0 ? unit : fromCharCode(0x100 + place);
    return;
  }
  const lower = toLowerCase(unit);
  const caseMark = lower === unit ? "0" : "1";
  const letters = variants[lower];
  if (letters !== undefined) {
    for (let index = 0; index < letters.length; index++)
      addElement(key, letterKey(charCodeAt(letters, index)), caseMark);
    key.accents += fromCharCode(0x110 + (lower === "ð" ? 1 : 0));
  } else if (code < 128) addElement(key, letterKey(charCodeAt(lower, 0)), caseMark);
  else addElement(key, (test(sign, unit) || test(surrogate, unit) ? otherSign : otherLetter) + lower, caseMark);
}

function letterKey(code: number): string {
  return fromCharCode(firstLetter + code - 97);
}

function addElement(key: OpenKey, base: string, caseMark: string): void {
  key.base += base;
  key.accents += " ";
  key.cases += caseMark;
}

/** A run of digits sorts by its value: first by length, then by digits. Returns the length of the run. */
function addNumber(key: OpenKey, text: string, start: number): number {
  const match = exec(digitRun, slice(text, start, start + 0xffff)) as RegExpExecArray;
  const digits = match[1] as string;
  addElement(key, numberMark + fromCharCode(digits.length) + digits, "0");
  return match[0].length;
}

/** Whether a code unit is an ASCII digit. */
export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
