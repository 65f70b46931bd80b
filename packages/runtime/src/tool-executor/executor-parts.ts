import type { ExecutorCounters } from "./executor-counters.ts";
import type { SchemaValidator } from "./schema-validator.ts";
import type { SequentialLines } from "./sequential-lines.ts";
import type { ResolvedToolExecutorOptions } from "./tool-executor-options.ts";

/** What all calls of one executor share. */
export type ExecutorParts = {
  readonly options: ResolvedToolExecutorOptions;
  readonly validator: SchemaValidator;
  readonly lines: SequentialLines;
  readonly counters: ExecutorCounters;
};
