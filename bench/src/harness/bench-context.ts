/** What a benchmark is run with. */
export type BenchContext = {
  /** Interleaved rounds of each comparison. */
  readonly rounds: number;
  readonly seed: number;
  /** Cells of the memory benchmark. */
  readonly soakCells: number;
  /** An iteration count at full size, made smaller in a quick run; at least 1. */
  scaled(iterations: number): number;
};

/** How a row did against its budget; `skipped` says why in its note. */
export type Verdict = "ok" | "over" | "skipped" | "failed";

/** One line of the table; `values` are the raw numbers behind it. */
export type BenchRow = {
  readonly id: string;
  readonly what: string;
  readonly ours: string;
  readonly run: string;
  readonly ratio: string;
  readonly must: string;
  readonly verdict: Verdict;
  readonly note?: string;
  readonly values: Readonly<Record<string, number | readonly number[]>>;
};

/** One benchmark: what it fills, and how. A rejection becomes a `failed` row for each of its titles. */
export type Benchmark = {
  readonly titles: readonly BenchTitle[];
  measure(context: BenchContext): Promise<readonly BenchRow[]>;
};

/** The fixed part of a row. */
export type BenchTitle = { readonly id: string; readonly what: string; readonly must: string };
