import { withoutByteOrderMark } from "./byte-order-mark.ts";

/** Characters of a source line that a frame shows. */
const frameWidth = 120;

/**
 * The source line, a caret below it and the line before, if there is one: at most three lines, cut around the column.
 * Lines and columns count from 1 and are clamped. O(n), never throws.
 */
export function codeFrame(source: string, line: number, column: number): string {
  const { previous, current, number } = findLine(withoutByteOrderMark(source), line);
  const at = Math.max(1, Math.min(Math.trunc(column) || 1, current.length + 1));
  const from = Math.max(0, Math.min(at - 1 - frameWidth / 2, current.length - frameWidth));
  const width = String(number).length;
  const lead = from > 0 ? "…" : "";
  const caret = `  ${" ".repeat(width)} | ${" ".repeat(lead.length + at - 1 - from)}^`;
  const shown = [`> ${number} | ${lead}${cut(current, from)}`, caret];
  if (previous !== undefined) shown.unshift(`  ${String(number - 1).padStart(width)} | ${lead}${cut(previous, from)}`);
  return shown.join("\n");
}

type Found = { readonly previous: string | undefined; readonly current: string; readonly number: number };

function findLine(source: string, line: number): Found {
  const breaks = /\r\n|\n|\r/g;
  let start = 0;
  let number = 1;
  let previous: string | undefined;
  for (let found = breaks.exec(source); found !== null; found = breaks.exec(source)) {
    const text = source.slice(start, found.index);
    if (number >= line) return { previous, current: text, number };
    previous = text;
    start = breaks.lastIndex;
    number++;
  }
  return { previous, current: source.slice(start), number };
}

/** Control characters would move the caret or the reader's terminal. */
function cut(text: string, from: number): string {
  const end = from + frameWidth;
  const part = text.slice(from, end).replace(/[\p{Cc}\u2028\u2029\ufeff]/gu, " ");
  return part.toWellFormed() + (end < text.length ? "…" : "");
}
