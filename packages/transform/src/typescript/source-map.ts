import { LineTable } from "../line-table.ts";
import type { OffsetMap } from "../offset-map.ts";

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/**
 * The offset map of a version 3 source map with one source. Generated lines that the map does not mention belong to
 * what came before them.
 */
export function readSourceMap(json: string, generated: string, source: string): OffsetMap {
  const { mappings } = JSON.parse(json) as { mappings: string };
  const generatedLines = new LineTable(generated);
  const sourceLines = new LineTable(source);
  const pairs: (readonly [number, number])[] = [];
  let last = 0;
  let sourceLine = 0;
  let sourceColumn = 0;
  for (const [index, line] of mappings.split(";").entries()) {
    let column = 0;
    const lineStart = generatedLines.offsetAt(index + 1, 1);
    pairs.push([lineStart, last]);
    for (const segment of line === "" ? [] : line.split(",")) {
      const [columnStep = 0, file, lineStep = 0, sourceStep = 0] = readNumbers(segment);
      column += columnStep;
      if (file === undefined) continue;
      sourceLine += lineStep;
      sourceColumn += sourceStep;
      last = sourceLines.offsetAt(sourceLine + 1, sourceColumn + 1);
      const generatedOffset = generatedLines.offsetAt(index + 1, column + 1);
      // indentation belongs to what it indents
      if (pairs.at(-1)?.[0] === lineStart && generated.slice(lineStart, generatedOffset).trim() === "")
        addPair(pairs, lineStart, last);
      addPair(pairs, generatedOffset, last);
    }
  }
  return pairs;
}

/** A later pair for the same offset is the more exact one. */
function addPair(pairs: (readonly [number, number])[], generated: number, source: number): void {
  const before = pairs.at(-1)?.[0] ?? -1;
  if (generated < before) return;
  if (generated === before) pairs.pop();
  pairs.push([generated, source]);
}

/** Base64 numbers of variable length, the sign in the lowest bit. */
function readNumbers(segment: string): number[] {
  const numbers: number[] = [];
  let value = 0;
  let shift = 0;
  for (const char of segment) {
    const digit = digits.indexOf(char);
    value += (digit & 31) << shift;
    shift += 5;
    if (digit & 32) continue;
    numbers.push(value & 1 ? -(value >> 1) : value >> 1);
    value = 0;
    shift = 0;
  }
  return numbers;
}
