import type { PositionMap, SourcePosition } from "@code-mode/contract";
import { withoutByteOrderMark } from "./byte-order-mark.ts";
import { codeFrame } from "./code-frame.ts";
import { mapPosition } from "./map-position.ts";

/**
 * Where a position of the evaluated body (line and engine column, both from 1) is in the submitted source, with the
 * column in characters as editors count them and a code frame. O(n), never throws.
 */
export function sourcePosition(source: string, positions: PositionMap, line: number, column: number): SourcePosition {
  const text = withoutByteOrderMark(source);
  const mapped = mapPosition(positions, line, column);
  const lines = text.split(/\r\n|\n|\r/, Math.trunc(mapped.line) || 1);
  const number = Math.max(1, Math.min(mapped.line, lines.length));
  const current = lines[number - 1] ?? "";
  // past the end of the text: the end of its last line
  const at = mapped.line > lines.length ? current.length + 1 : unitColumn(current, mapped.column);
  return { line: number, column: at, frame: codeFrame(text, number, at) };
}

/** The UTF-16 column of a column that counts UTF-8 bytes. */
function unitColumn(line: string, byteColumn: number): number {
  let bytes = 1;
  let units = 1;
  for (const character of line) {
    if (bytes >= byteColumn) break;
    bytes += Buffer.byteLength(character);
    units += character.length;
  }
  return units;
}
