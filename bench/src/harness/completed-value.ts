import type { CodeModeResult } from "@code-mode/contract";

/**
 * The value of a cell that completed.
 * @throws Error for any other result: a benchmark measures what it meant to run, or nothing
 */
export function completedValue(result: CodeModeResult): unknown {
  if (result.status !== "completed" || result.truncated === true)
    throw new Error(`expected a completed cell, got ${describeResult(result)}`);
  return result.value;
}

/** A result in one line, for messages. */
export function describeResult(result: CodeModeResult): string {
  if (result.status === "failed") return `failed (${result.code}): ${result.error}`;
  return `${result.status}: ${JSON.stringify(result).slice(0, 300)}`;
}
