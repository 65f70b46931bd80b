import { catalogSize } from "./catalog-size.ts";
import { coldStart } from "./cold-start.ts";
import { declarations } from "./declarations.ts";
import { hangingCells } from "./hanging-cells.ts";
import type { Benchmark } from "./harness/bench-context.ts";
import { largeResult } from "./large-result.ts";
import { memoryGrowth } from "./memory-growth.ts";
import { modelTokens } from "./model-tokens.ts";
import { parallelCalls } from "./parallel-calls.ts";
import { searchQuality } from "./search-quality.ts";
import { sequentialCalls } from "./sequential-calls.ts";
import { suspendResume } from "./suspend-resume.ts";
import { throughput } from "./throughput.ts";
import { trivialCell } from "./trivial-cell.ts";
import { typescriptCost } from "./typescript-cost.ts";
import { waitingCells } from "./waiting-cells.ts";

/** Every benchmark, in the order of the table. */
export const allBenchmarks: readonly Benchmark[] = [
  trivialCell,
  sequentialCalls,
  parallelCalls,
  largeResult,
  suspendResume,
  throughput,
  coldStart,
  catalogSize,
  typescriptCost,
  hangingCells,
  modelTokens,
  searchQuality,
  declarations,
  memoryGrowth,
  waitingCells,
];
