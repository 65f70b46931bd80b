import {
  apply,
  Bytes,
  charCodeAt,
  fromCharCode,
  slice,
  TypeErrorOf,
  typedArraySet,
  typedArraySlice,
  typedArraySubarray,
} from "./captured.ts";
import { bytesCut, decodeNatively, encodeNatively, nativeChunk, textCut } from "./utf8-native.ts";

/** Code units that become text at once: the engine copies the arguments of a call. */
const unitsPerChunk = 4096;

const replacement = 0xfffd;

/** The UTF-8 bytes of a text; a lone surrogate becomes U+FFFD. */
export function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  if (text.length <= nativeChunk) return encodeNatively(text) ?? encodeSlowly(text);
  const bytes = new Bytes(text.length * 3);
  let written = 0;
  for (let start = 0; start < text.length; ) {
    const end = textCut(text, start + nativeChunk);
    const part = slice(text, start, end);
    const encoded = encodeNatively(part) ?? encodeSlowly(part);
    typedArraySet(bytes, encoded, written);
    written += encoded.length;
    start = end;
  }
  return typedArraySlice(bytes, 0, written);
}

function encodeSlowly(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Bytes(text.length * 3);
  return typedArraySlice(bytes, 0, encodeUtf8Into(text, bytes).written);
}

/** Writes whole code points while they fit; `read` counts UTF-16 code units. */
export function encodeUtf8Into(text: string, bytes: Uint8Array): { read: number; written: number } {
  const { length } = text;
  const room = bytes.length;
  let read = 0;
  let written = 0;
  while (read < length) {
    let code = charCodeAt(text, read);
    let units = 1;
    if (code >= 0xd800 && code <= 0xdfff) {
      const low = code < 0xdc00 && read + 1 < length ? charCodeAt(text, read + 1) : 0;
      const paired = low >= 0xdc00 && low <= 0xdfff;
      code = paired ? (code - 0xd800) * 0x400 + (low - 0xdc00) + 0x10000 : replacement;
      units = paired ? 2 : 1;
    }
    const size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (written + size > room) break;
    if (size === 1) bytes[written] = code;
    else writeSequence(bytes, written, code, size);
    written += size;
    read += units;
  }
  return { read, written };
}

function writeSequence(bytes: Uint8Array, at: number, code: number, size: number): void {
  for (let index = size - 1, rest = code; index > 0; index--, rest >>= 6) bytes[at + index] = 0x80 | (rest & 0x3f);
  bytes[at] = ((0xf00 >> size) & 0xff) | (code >> (6 * (size - 1)));
}

/** What `decodeUtf8` returns: the text, and how many bytes it stands for. */
export type DecodedUtf8 = { readonly text: string; readonly used: number };

/** Decodes any amount of UTF-8 as `decodeUtf8` does, in parts by the engine where they are valid. */
export function decodeUtf8Bytes(bytes: Uint8Array, fatal: boolean, stream: boolean): DecodedUtf8 {
  let text = "";
  for (let start = 0; start < bytes.length; ) {
    const end = bytesCut(bytes, start + nativeChunk);
    const part = typedArraySubarray(bytes, start, end);
    const whole = decodeNatively(part);
    const slow = whole === undefined ? decodeUtf8(part, fatal, stream && end === bytes.length) : undefined;
    text += slow?.text ?? whole;
    if (slow !== undefined && slow.used < part.length) return { text, used: start + slow.used };
    start = end;
  }
  return { text, used: bytes.length };
}

/**
 * Decodes as the web does: each maximal invalid part becomes one U+FFFD, or a TypeError when `fatal`. With `stream`
 * an incomplete sequence at the end is left for the next call.
 */
export function decodeUtf8(bytes: ArrayLike<number>, fatal: boolean, stream: boolean): DecodedUtf8 {
  const { length } = bytes;
  let text = "";
  let units: number[] = [];
  let used = 0;
  while (used < length) {
    const lead = bytes[used] as number;
    if (lead < 0x80) {
      units[units.length] = lead;
      used++;
    } else {
      const size = sequenceSize(lead);
      const seen = countContinuations(bytes, used, size);
      if (stream && seen < size && used + seen === length) break;
      const whole = size > 0 && seen === size;
      if (fatal && !whole)
        throw new TypeErrorOf("the bytes are no valid utf-8 (without {fatal: true} they decode to U+FFFD)");
      appendCode(units, whole ? readCode(bytes, used, size) : replacement);
      used += seen;
    }
    if (units.length >= unitsPerChunk) {
      text += apply(fromCharCode, undefined, units);
      units = [];
    }
  }
  return { text: text + apply(fromCharCode, undefined, units), used };
}

/** Bytes of the sequence that a lead byte opens; 0 when it opens none. */
function sequenceSize(lead: number): number {
  return lead < 0xc2 || lead > 0xf4 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

/** Bytes of the longest valid start of the sequence at `at`, at least 1. */
function countContinuations(bytes: ArrayLike<number>, at: number, size: number): number {
  const lead = bytes[at];
  let seen = 1;
  for (; seen < size && at + seen < bytes.length; seen++) {
    const byte = bytes[at + seen] as number;
    const low = seen > 1 ? 0x80 : lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
    const high = seen > 1 ? 0xbf : lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
    if (byte < low || byte > high) break;
  }
  return seen;
}

function readCode(bytes: ArrayLike<number>, at: number, size: number): number {
  let code = (bytes[at] as number) & (0x7f >> size);
  for (let index = 1; index < size; index++) code = (code << 6) | ((bytes[at + index] as number) & 0x3f);
  return code;
}

function appendCode(units: number[], code: number): void {
  if (code > 0xffff) units[units.length] = 0xd7c0 + (code >> 10);
  units[units.length] = code > 0xffff ? 0xdc00 | (code & 0x3ff) : code;
}
