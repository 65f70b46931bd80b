import type { PositionMap } from "@code-mode/contract";
import { LineTable } from "./line-table.ts";

/**
 * Pairs of offsets, ascending by the generated one and starting at generated 0. From one pair to the next both
 * texts advance together.
 */
export type OffsetMap = readonly (readonly [generated: number, source: number])[];

/** The map of a text that was not changed. */
export const identityMap: OffsetMap = [[0, 0]];

/**
 * Most segments a position map may have: it travels with each suspended cell. Beyond it only line starts are kept;
 * generated lines after that many (only hostile texts have them) lose their place.
 */
const maxSegments = 20_000;

type Segment = PositionMap[number];

/** The source offset of a generated offset. */
export function mapOffset(map: OffsetMap, offset: number): number {
  const [generated, source] = map[pairIndexAt(map, offset)] ?? [0, 0];
  return source + Math.max(0, offset - generated);
}

/** The map from the outermost text to the innermost: `outer` leads to a text from which `inner` leads on. */
export function composeOffsetMaps(outer: OffsetMap, inner: OffsetMap): OffsetMap {
  if (inner.length === 1) return outer.map(([generated, middle]) => [generated, mapOffset(inner, middle)] as const);
  if (outer.length === 1 && outer[0]?.[1] === 0) return inner;
  const composed: (readonly [number, number])[] = [];
  for (const [index, [generated, middle]] of outer.entries()) {
    composed.push([generated, mapOffset(inner, middle)]);
    const length = (outer[index + 1]?.[0] ?? Number.POSITIVE_INFINITY) - generated;
    for (const [innerGenerated, source] of between(inner, middle, middle + length)) {
      composed.push([generated + innerGenerated - middle, source]);
    }
  }
  return composed;
}

/** The pairs whose generated offset lies strictly between two offsets. */
function between(map: OffsetMap, after: number, before: number): OffsetMap {
  const first = pairIndexAt(map, after) + 1;
  let end = first;
  while (end < map.length && (map[end]?.[0] ?? 0) < before) end++;
  return map.slice(first, end);
}

function pairIndexAt(map: OffsetMap, offset: number): number {
  let low = 0;
  let high = map.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((map[middle]?.[0] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The same map in lines and engine columns; positions that stay where they were need no segment. */
export function toPositionMap(map: OffsetMap, generatedText: string, sourceText: string): PositionMap {
  if (map.length === 1 && map[0]?.[1] === 0 && generatedText === sourceText) return [];
  const generatedLines = new LineTable(generatedText);
  const sourceLines = new LineTable(sourceText);
  const drift =
    generatedLines.isAscii && sourceLines.isAscii ? [] : driftOffsets(map, generatedLines, sourceLines, generatedText);
  const offsets = [...new Set([...map.map(([generated]) => generated), ...generatedLines.starts, ...drift])].sort(
    (a, b) => a - b,
  );
  const segments: Segment[] = [];
  for (const offset of offsets) {
    const from = generatedLines.enginePositionAt(offset);
    const to = sourceLines.enginePositionAt(mapOffset(map, offset));
    const segment: Segment = [from.line, from.column, to.line, to.column];
    if (!isImplied(segments.at(-1), segment)) segments.push(segment);
  }
  return segments.length <= maxSegments
    ? segments
    : segments.filter((segment) => segment[1] === 1).slice(0, maxSegments);
}

function isImplied(last: Segment | undefined, [line, column, sourceLine, sourceColumn]: Segment): boolean {
  if (last === undefined || last[0] !== line) return line === sourceLine && column === sourceColumn;
  return last[2] === sourceLine && last[3] + column - last[1] === sourceColumn;
}

/** Erased text is replaced by spaces, one per UTF-16 unit; engine columns count bytes, so they drift there. */
function driftOffsets(map: OffsetMap, generated: LineTable, source: LineTable, generatedText: string): number[] {
  const offsets: number[] = [];
  for (const [index, [start, sourceStart]] of map.entries()) {
    const end = Math.min(map[index + 1]?.[0] ?? generatedText.length, generatedText.length);
    let known = generated.bytesBefore(start) - source.bytesBefore(sourceStart);
    for (let offset = start; offset < end; offset++) {
      const drift = generated.bytesBefore(offset) - source.bytesBefore(sourceStart + offset - start);
      if (drift === known || generatedText.charCodeAt(offset) === 32) continue;
      known = drift;
      offsets.push(offset);
    }
  }
  return offsets;
}
