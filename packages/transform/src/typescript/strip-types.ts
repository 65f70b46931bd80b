import { applyEdits } from "../apply-edits.ts";
import { scanBrackets } from "../bracket-scan.ts";
import { isAscii, LineTable } from "../line-table.ts";
import { composeOffsetMaps, identityMap, mapOffset, type OffsetMap } from "../offset-map.ts";
import type { TypeStripper } from "./compiler-loader.ts";
import { restoreSemicolons } from "./restore-semicolons.ts";
import { readSourceMap } from "./source-map.ts";

/** JavaScript made of TypeScript, and the map back. */
export type Compiled = { readonly code: string; readonly map: OffsetMap };

/** How the compiler treats types: erase in place, or rewrite what cannot be erased. */
export type StripMode = "strip-only" | "transform";

/** What the compiler objected to. */
export type StripFailure = { readonly unsupported: boolean; readonly message: string; readonly offset: number };

/** The outcome of one compiler run. */
export type StripResult = { readonly compiled: Compiled } | { readonly failure: StripFailure };

/** A text to compile: as the body of an async function (so that `return` parses), or bare (so that modules do). */
export type StripRequest = { readonly text: string; readonly mode: StripMode; readonly isBody: boolean };

const head = "async function __codeModeCell(){";
const tail = "\n}";

/**
 * The stripper renders the line of every diagnostic it collects: thousands of them on one long line take minutes.
 * Above this cost (half a second) it is shown a text with more line breaks.
 */
const maxDiagnosticCost = 3e7;

/** Runs the compiler once. Throws whatever a broken compiler throws; a diagnostic is a result. */
export function stripTypes(stripper: TypeStripper, request: StripRequest): StripResult {
  const { diagnosticCost, breaks } = scanBrackets(request.text);
  if (diagnosticCost <= Math.max(maxDiagnosticCost, request.text.length * 200)) return stripOnce(stripper, request);
  const broken = applyEdits(
    request.text,
    breaks.map((offset) => ({ start: offset, end: offset, text: "\n" })),
  );
  const result = stripOnce(stripper, { ...request, text: broken.text });
  if ("failure" in result)
    return { failure: { ...result.failure, offset: mapOffset(broken.map, result.failure.offset) } };
  const { code, map } = result.compiled;
  // erased in place: the added breaks are where they were put
  if (request.mode === "strip-only") return { compiled: { code: removeBreaks(code, breaks), map: identityMap } };
  return { compiled: { code, map: composeOffsetMaps(map, broken.map) } };
}

function removeBreaks(code: string, breaks: readonly number[]): string {
  return [0, ...breaks].map((from, index) => code.slice(from + index, (breaks[index] ?? code.length) + index)).join("");
}

function stripOnce(stripper: TypeStripper, request: StripRequest): StripResult {
  const input = request.isBody ? head + request.text + tail : request.text;
  const headLength = request.isBody ? head.length : 0;
  try {
    const output = stripper.transformSync(input, {
      mode: request.mode,
      sourceMap: request.mode === "transform",
      ...(request.isBody ? {} : { module: true }),
    });
    if (request.mode === "transform") return readTransformed(output, input, headLength);
    const code = request.isBody ? output.code.slice(headLength, -tail.length) : output.code;
    return { compiled: { code: restoreSemicolons(request.text, code), map: identityMap } };
  } catch (error) {
    if (!isDiagnostic(error)) throw error;
    const offset = diagnosticOffset(stripper, request, input, error) - headLength;
    const message = error.message.split(". Expected", 1)[0] ?? error.message;
    const failure = {
      unsupported: error.code === "UnsupportedSyntax",
      message,
      offset: clamp(offset, 0, request.text.length),
    };
    return { failure };
  }
}

/** What the compiler throws about a text: a plain object; columns count from 0. */
type Diagnostic = { code: string; message: string; startLine: number; startColumn: number };

function isDiagnostic(error: unknown): error is Diagnostic {
  if (typeof error !== "object" || error === null || error instanceof Error) return false;
  const { message, startLine, startColumn } = error as Partial<Diagnostic>;
  return typeof message === "string" && typeof startLine === "number" && typeof startColumn === "number";
}

/** The compiler's columns follow the display width; a text with one ASCII letter per unit gives real columns. */
function diagnosticOffset(
  stripper: TypeStripper,
  request: StripRequest,
  input: string,
  diagnostic: Diagnostic,
): number {
  const lines = new LineTable(input);
  const found = lines.offsetAt(diagnostic.startLine, diagnostic.startColumn + 1);
  if (isAscii(input)) return found;
  const narrow = input.replace(/[\u0080-\uffff]/g, (unit) => (unit.trim() === "" ? " " : "x"));
  try {
    stripper.transformSync(narrow, { mode: request.mode, ...(request.isBody ? {} : { module: true }) });
    return found;
  } catch (error) {
    if (!isDiagnostic(error)) throw error;
    return error.startLine === diagnostic.startLine ? lines.offsetAt(error.startLine, error.startColumn + 1) : found;
  }
}

function readTransformed(output: { code: string; map?: string }, input: string, headLength: number): StripResult {
  const { code } = output;
  const map = readSourceMap(output.map ?? '{"mappings":""}', code, input);
  if (headLength === 0) return { compiled: { code, map } };
  const start = code.indexOf("{") + 1;
  const end = code.lastIndexOf("}");
  if (!code.startsWith("async function __codeModeCell()")) {
    return { failure: { unsupported: true, message: "the compiler moved code out of the program", offset: 0 } };
  }
  const inside = map.filter(([generated]) => generated > start && generated < end);
  const shifted = inside.map(([generated, source]) => [generated - start, Math.max(0, source - headLength)] as const);
  return { compiled: { code: code.slice(start, end), map: [[0, 0], ...shifted] } };
}

function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(value, high));
}
