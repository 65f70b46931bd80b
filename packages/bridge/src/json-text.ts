import { type JsonValue, messageOf } from "@code-mode/contract";

/** A value as JSON text, or why it has none. */
export type JsonTextResult =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: string };

/** JSON text of a host value: BigInt becomes a decimal string, undefined becomes null, a cycle is a problem. */
export function toJsonText(value: unknown): JsonTextResult {
  try {
    return { ok: true, text: JSON.stringify(value) ?? "null" };
  } catch {
    try {
      const text = JSON.stringify(value, (_key, item: unknown) => (typeof item === "bigint" ? item.toString() : item));
      return { ok: true, text: text ?? "null" };
    } catch (error) {
      return { ok: false, problem: messageOf(error) };
    }
  }
}

/** Deepest nesting of arrays and objects in a JSON text, counted without parsing it. */
export function jsonDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 0x22) index = endOfString(text, index);
    else if (code === 0x5b || code === 0x7b) deepest = Math.max(deepest, ++depth);
    else if (code === 0x5d || code === 0x7d) depth--;
  }
  return deepest;
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === 0x5c) slashes++;
    if (slashes % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}

/** Parses JSON text that the guest produced; own `__proto__` keys stay plain data. */
export function parseJsonText(text: string): JsonValue {
  return JSON.parse(text) as JsonValue;
}
