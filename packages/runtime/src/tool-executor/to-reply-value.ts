import { jsonDepth, parseJsonText, toJsonText } from "@code-mode/bridge";
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
  const written = toJsonText(returned);
  if (!written.ok) return { ok: false, problem: problemText(written.problem), details: {} };
  const { text } = written;
  const bytes = Buffer.byteLength(text);
  if (bytes > maxBytes)
    return {
      ok: false,
      problem: `${bytes} bytes, at most ${maxBytes} bytes are allowed. Ask for less: a filter, a page or a smaller range`,
      details: { bytes, limit: maxBytes },
    };
  if (isTooDeep(text))
    return {
      ok: false,
      problem: `nested deeper than ${fixedLimits.maxValueDepth} levels, which is the limit`,
      details: { levels: jsonDepth(text), limit: fixedLimits.maxValueDepth },
    };
  return { ok: true, value: parseJsonText(text), bytes };
}

/** Every level needs two characters, so most texts need no scan. */
function isTooDeep(text: string): boolean {
  return text.length > fixedLimits.maxValueDepth * 2 && jsonDepth(text) > fixedLimits.maxValueDepth;
}

/** Own words: the engine's text for a cycle lists host class names. */
function problemText(problem: string): string {
  if (problem.includes("circular structure")) return "it holds a cycle, which JSON cannot hold";
  if (problem.includes("call stack"))
    return `nested deeper than ${fixedLimits.maxValueDepth} levels, which is the limit`;
  return "it cannot be read as JSON (a getter or toJSON failed, or it is too large)";
}
