import { charCodeAt, codePointAt, encodeComponent, exec, fromCodePoint, indexOf, NumberOf, slice } from "./captured.ts";
import { decodeUtf8 } from "./utf8.ts";

/** The web's percent-encode sets: printable ASCII that is encoded besides control characters and non-ASCII. */
export const fragmentSet = ' "<>`';
export const querySet = ' "#<>';
export const specialQuerySet = `${querySet}'`;
export const pathSet = `${querySet}?^\`{}`;
export const userinfoSet = `${pathSet}/:;=@[\\]|`;

const hexDigits = "0123456789ABCDEF";

/** Percent-encodes, as UTF-8, control characters, non-ASCII and what `set` lists. The text must be well-formed. */
export function percentEncode(text: string, set: string): string {
  let result = "";
  let start = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = charCodeAt(text, index);
    if (unit >= 0x20 && unit < 0x7f && indexOf(set, text[index] as string) < 0) continue;
    result += slice(text, start, index);
    const code = codePointAt(text, index) as number;
    result += code < 0x80 ? escapeByte(code) : encodeComponent(fromCodePoint(code));
    if (code > 0xffff) index++;
    start = index + 1;
  }
  return start === 0 ? text : result + slice(text, start);
}

/** Percent-decodes as UTF-8 without failing: a stray `%` stays, invalid bytes become U+FFFD. */
export function percentDecode(text: string): string {
  let result = "";
  let at = indexOf(text, "%");
  let start = 0;
  while (at >= 0) {
    const bytes: number[] = [];
    let end = at;
    for (let byte = escapedByte(text, end); byte >= 0; byte = escapedByte(text, end)) {
      bytes[bytes.length] = byte;
      end += 3;
    }
    result += slice(text, start, at) + (bytes.length === 0 ? "%" : decodeUtf8(bytes, false, false).text);
    start = bytes.length === 0 ? at + 1 : end;
    at = indexOf(text, "%", start);
  }
  return start === 0 ? text : result + slice(text, start);
}

/** The value of the `%xx` at `at`, or -1. */
function escapedByte(text: string, at: number): number {
  const digits = slice(text, at, at + 3);
  return exec(/^%[\da-f]{2}$/i, digits) === null ? -1 : NumberOf(`0x${slice(digits, 1)}`);
}

function escapeByte(byte: number): string {
  return `%${hexDigits[byte >> 4]}${hexDigits[byte & 15]}`;
}
