import type { ExecuteOptions, NestedCall, NestedOutcome, ToolExecutor } from "@code-mode/contract";
import { buildExecutorCounters, type ExecutorCounters } from "./executor-counters.ts";
import { SchemaValidator } from "./schema-validator.ts";
import { SequentialLines } from "./sequential-lines.ts";
import { ToolCall } from "./tool-call.ts";
import { resolveToolExecutorOptions, type ToolExecutorOptions } from "./tool-executor-options.ts";

/** An executor that also says what it did. */
export type CountingToolExecutor = ToolExecutor & { readonly counters: Readonly<ExecutorCounters> };

/**
 * The one path of every tool call, nested or direct (NEST-4): resolve → policy → replay safety → before-hooks →
 * schema of the rewritten input → approval → tool, policy and grant again → execute → after-hooks → record.
 * `execute` settles exactly once, never rejects, and settles at once when its signal aborts.
 */
export function createToolExecutor(options: ToolExecutorOptions): CountingToolExecutor {
  const counters = buildExecutorCounters();
  const shared = {
    options: resolveToolExecutorOptions(options),
    validator: new SchemaValidator(),
    lines: new SequentialLines(),
    counters,
  };
  return {
    counters,
    execute: (call: NestedCall, options: ExecuteOptions): Promise<NestedOutcome> =>
      new ToolCall(shared, call, options).run(),
  };
}
