import type { PositionMap } from "@code-mode/contract";
import type { TextPosition } from "./line-table.ts";

/**
 * The submitted position of a position in the evaluated body. Columns of both are engine columns: UTF-8 bytes from
 * 1, which is what QuickJS reports; `sourcePosition` gives the column an editor shows. O(log n), never throws.
 */
export function mapPosition(positions: PositionMap, line: number, column: number): TextPosition {
  let low = 0;
  let high = positions.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const [at = 0, from = 0] = positions[middle] ?? [];
    if (at < line || (at === line && from <= column)) low = middle + 1;
    else high = middle;
  }
  const segment = positions[low - 1];
  if (segment === undefined || segment[0] !== line) return { line, column };
  return { line: segment[2], column: segment[3] + column - segment[1] };
}
