import { charCodeAt, encodeComponent, exec, toWellFormed, uncurry } from "./captured.ts";

/** Units or bytes that go through the native functions at once: their intermediate texts are up to nine times as long. */
export const nativeChunk = 65_536;

type NativeBase64 = {
  readonly fromBase64?: (text: string) => Uint8Array<ArrayBuffer>;
  readonly prototype: { readonly toBase64?: (this: Uint8Array) => string };
};

const { fromBase64, prototype } = Uint8Array as unknown as NativeBase64;
const bytesToBase64 = prototype.toBase64 === undefined ? undefined : uncurry(prototype.toBase64);
const { atob: fromBase64Text, btoa: toBase64Text, decodeURIComponent: decodeComponent } = globalThis;
const { escape: escapeUnits, unescape: unescapeUnits } = globalThis as unknown as Record<
  "escape" | "unescape",
  (text: string) => string
>;
const nonAscii = /[^\0-\x7f]/;

/**
 * The UTF-8 of a short text by way of base64, which the engine does natively: many times as fast as a loop in the
 * guest. `undefined` in engines without these functions.
 */
export function encodeNatively(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (fromBase64 === undefined) return undefined;
  const octets = exec(nonAscii, text) === null ? text : unescapeUnits(encodeComponent(toWellFormed(text)));
  return fromBase64(toBase64Text(octets));
}

/** The text of short, valid UTF-8, likewise; `undefined` when it is not valid, or not for this engine. */
export function decodeNatively(bytes: Uint8Array): string | undefined {
  if (bytesToBase64 === undefined) return undefined;
  const octets = fromBase64Text(bytesToBase64(bytes));
  if (exec(nonAscii, octets) === null) return octets;
  try {
    return decodeComponent(escapeUnits(octets));
  } catch {
    return undefined;
  }
}

/** Where a part of a text may end without splitting a surrogate pair. */
export function textCut(text: string, end: number): number {
  if (end >= text.length) return text.length;
  const unit = charCodeAt(text, end - 1);
  return unit >= 0xd800 && unit < 0xdc00 ? end - 1 : end;
}

/** Where a part of UTF-8 may end without splitting a sequence. */
export function bytesCut(bytes: Uint8Array, end: number): number {
  if (end >= bytes.length) return bytes.length;
  let cut = end;
  while (cut > end - 4 && ((bytes[cut] as number) & 0xc0) === 0x80) cut--;
  // four continuation bytes in a row: `end` is in no valid sequence
  return cut === end - 4 ? end : cut;
}
