import type { CodeModeLanguage } from "./config.ts";

/** What the worker knows of a submitted program. */
export type SourceRequest = {
  readonly code: string;
  readonly language: CodeModeLanguage;
  /** Whether TypeScript is enabled at all (TS-4). */
  readonly typescriptEnabled: boolean;
};

/**
 * Maps positions of the evaluated program back to the submitted source. Each segment says: from this generated
 * position on (until the next segment of the line), columns advance together. Lines without a segment map to
 * themselves. Lines and columns count from 1. Plain JSON: it survives a wait.
 */
export type PositionMap = readonly (readonly [
  generatedLine: number,
  generatedColumn: number,
  sourceLine: number,
  sourceColumn: number,
])[];

/** A program ready to be evaluated as the body of an async function. */
export type PreparedSource = {
  readonly body: string;
  readonly positions: PositionMap;
  /** The value comes from a last expression, not from a `return` (EXEC-5). */
  readonly implicitValue: boolean;
  /** The program may hold symbols, which native JSON drops: serialize with a walk. */
  readonly mayHoldSymbols: boolean;
  readonly hints: readonly string[];
};

/**
 * Prepares source text inside a worker (fence, modules, last expression, TypeScript).
 * Throws `CodeModeError` `invalid_input`; `details` holds `line` and `column` of the submitted source when known.
 */
export type PrepareSource = (request: SourceRequest) => PreparedSource | Promise<PreparedSource>;
