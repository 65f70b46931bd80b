import { cutToBytes } from "@code-mode/bridge";

/**
 * Text of a plugin or server as one line of a description: no control or invisible characters, no chat tokens
 * (`<|…|>`), single spaces, at most `maxBytes` UTF-8 bytes with `…` where it was cut.
 */
export function sanitizeText(text: string, maxBytes: number): string {
  const line = text
    .replace(/<\|[^|>]{0,64}\|>/g, " ")
    // Bidirectional marks and zero-width characters can hide instructions from a reader.
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  if (Buffer.byteLength(line) <= maxBytes) return line;
  return `${cutToBytes(line, maxBytes - 3).trimEnd()}…`;
}
