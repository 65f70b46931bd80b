import type { CodeModeOutput, CodeModeResult } from "@code-mode/contract";
import { jsonEqual } from "./json-equal.ts";
import { type Matcher, mismatch } from "./matcher.ts";

/** Matchers of what the program printed. */
export const outputMatchers: Readonly<Record<string, Matcher>> = {
  outputOrder(expected, { seen: { result } }) {
    const texts = (result?.output ?? []).map(textOf);
    return jsonEqual(texts, expected) ? undefined : mismatch("outputOrder", expected, texts);
  },
  outputTextMatches(expected, { seen: { result } }) {
    const text = result === undefined ? "" : printedText(result);
    return new RegExp(String(expected), "s").test(text) ? undefined : mismatch("outputTextMatches", expected, text);
  },
  serializedBytesMax(expected, { seen: { result } }) {
    const bytes = result === undefined ? 0 : countedBytes(result);
    return bytes <= Number(expected) ? undefined : mismatch("serializedBytesMax", expected, bytes);
  },
};

function textOf(item: CodeModeOutput): string {
  return item.type === "text" ? item.text : JSON.stringify(item.value);
}

/** The output as the model reads it; a cut is told in fields of the result, which count as read. */
function printedText(result: CodeModeResult): string {
  const lines = (result.output ?? []).map(textOf);
  const omitted = result.status === "waiting" ? undefined : result.omittedBytes;
  return [...lines, ...(omitted === undefined ? [] : [`truncated: ${omitted} bytes omitted`])].join("\n");
}

/** What the output budget counts: the UTF-8 JSON of every item and of the value, without separators. */
function countedBytes(result: CodeModeResult): number {
  const items = result.status === "completed" ? [...(result.output ?? []), result.value] : (result.output ?? []);
  return items.reduce((sum: number, item) => sum + Buffer.byteLength(JSON.stringify(item)), 0);
}
