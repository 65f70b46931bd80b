import { fixedLimits, type JsonObject, type JsonValue } from "@code-mode/contract";

/** A value that may go to the guest with its size in JSON bytes, or why it may not. */
export type ReplyValue =
  | { readonly ok: true; readonly value: JsonValue; readonly bytes: number }
  | { readonly ok: false; readonly problem: string; readonly details: JsonObject };

/**
 * Makes plain JSON of whatever a tool returned. Getters and `toJSON` run once, here; `undefined` becomes `null` and
 * a BigInt its digits. Nothing of the result is shared with the tool.
 */
export function toReplyValue(returned: unknown, maxBytes: number): ReplyValue {
  if (returned === undefined || returned === null) return { ok: true, value: null, bytes: 4 };
  const written = writeJson(returned);
  if (!written.ok) return { ok: false, problem: written.problem, details: {} };
  const { text } = written;
  const bytes = Buffer.byteLength(text);
  if (bytes > maxBytes)
    return {
      ok: false,
      problem: `the result has ${bytes} bytes, at most ${maxBytes} fit in a reply. Ask for less: a filter, a page or a smaller range`,
      details: { bytes, limit: maxBytes },
    };
  if (isDeeperThan(text, fixedLimits.maxValueDepth))
    return {
      ok: false,
      problem: `the result is nested more than ${fixedLimits.maxValueDepth} levels deep, which is the limit`,
      details: { limit: fixedLimits.maxValueDepth },
    };
  return { ok: true, value: JSON.parse(text) as JsonValue, bytes };
}

type Written = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly problem: string };

function writeJson(value: unknown): Written {
  try {
    return { ok: true, text: JSON.stringify(value) ?? "null" };
  } catch {
    // Slow path only for values that plain JSON refuses: a replacer costs a call for every key.
    return writeWithDigits(value);
  }
}

function writeWithDigits(value: unknown): Written {
  try {
    const text = JSON.stringify(value, (_key, item: unknown) => (typeof item === "bigint" ? item.toString() : item));
    return { ok: true, text: text ?? "null" };
  } catch (error) {
    return { ok: false, problem: problemOf(error) };
  }
}

/** Own words: the engine's text for a cycle lists host class names. */
function problemOf(error: unknown): string {
  if (error instanceof RangeError) return `the result is too deep or too large for JSON (at most ${fixedLimits.maxValueDepth} levels)`;
  if (error instanceof TypeError && error.message.includes("circular")) return "the result contains a cycle, which JSON cannot hold";
  return "the result cannot be read as JSON: a getter or toJSON threw";
}

/** Counts brackets outside strings; every level needs two characters, so most texts need no look at all. */
function isDeeperThan(text: string, limit: number): boolean {
  if (text.length <= limit * 2) return false;
  let depth = 0;
  let index = 0;
  while (index < text.length) {
    const code = text.charCodeAt(index);
    if (code === 0x22) index = endOfString(text, index);
    else if (code === 0x5b || code === 0x7b) depth += 1;
    else if (code === 0x5d || code === 0x7d) depth -= 1;
    if (depth > limit) return true;
    index += 1;
  }
  return false;
}

/** Position of the quote that closes the string opened at `start`. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, position: number): boolean {
  let slashes = 0;
  while (text.charCodeAt(position - 1 - slashes) === 0x5c) slashes += 1;
  return slashes % 2 === 1;
}
