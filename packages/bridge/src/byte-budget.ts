import type { CodeModeOutput, JsonValue } from "@code-mode/contract";

/** UTF-8 bytes of the JSON text of a value, as the output budget counts them (OUT-2). */
export function jsonBytes(value: JsonValue | CodeModeOutput): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/**
 * The longest prefix of `text` whose JSON string literal takes at most `maxBytes` UTF-8 bytes (quotes included),
 * never cutting a character (surrogate pair) in two.
 */
export function cutToJsonBytes(text: string, maxBytes: number): string {
  let used = 2;
  let end = 0;
  for (const character of text) {
    used += Buffer.byteLength(JSON.stringify(character)) - 2;
    if (used > maxBytes) return text.slice(0, end);
    end += character.length;
  }
  return text;
}

/** The longest prefix of `text` with at most `maxBytes` UTF-8 bytes, cut at a character boundary. */
export function cutToBytes(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes) return text;
  const bytes = Buffer.from(text);
  let end = Math.max(0, maxBytes);
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString("utf8", 0, end);
}

const emptyTextItemBytes = Buffer.byteLength('{"type":"text","text":""}') - 2;

/**
 * Cuts one output item to a remaining budget. A JSON item that does not fit becomes the prefix of its text.
 * Returns `undefined` when not even an empty text item fits.
 */
export function cutOutputItem(item: CodeModeOutput, maxBytes: number): CodeModeOutput | undefined {
  if (maxBytes < emptyTextItemBytes + 3) return undefined;
  const text = item.type === "text" ? item.text : JSON.stringify(item.value);
  const kept = cutToJsonBytes(text, maxBytes - emptyTextItemBytes);
  return kept === "" ? undefined : { type: "text", text: kept };
}
