import { performance } from "node:perf_hooks";
import { isDeepStrictEqual } from "node:util";
import { type CodeMode, type CodeModeResult, codeModeErrorCodes, type JsonObject } from "@code-mode/contract";
import { scopeOf } from "./case-scope.ts";
import { resultFaults } from "./result-faults.ts";

/** One row of `hostile-corpus.jsonl`. */
export type HostileProgram = {
  readonly id: string;
  readonly class: string;
  readonly expected: string;
  readonly code: string;
};

/** Options of `judgeHostileProgram`. */
export type HostileOptions = {
  /** The `timeoutMs` that `codeMode` was made with. */
  readonly timeoutMs: number;
  /** How much later than the deadline an answer may come: the watchdog ends a worker 250 ms after it. Default 1000. */
  readonly graceMs?: number;
};

/** A cell that works as ever: nothing of the program before it shows. */
const canary = "return [1 + 1, typeof process, typeof ({}).then, [3, 1].sort(), JSON.stringify({ a: [null] })];";
const canaryValue = [2, "undefined", "undefined", [1, 3], '{"a":[null]}'];

/** The rows of a JSON Lines text. */
export function parseHostilePrograms(text: string): readonly HostileProgram[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.map((line) => JSON.parse(line) as HostileProgram);
}

/**
 * Runs a hostile program and says what was not contained: a late or misshapen answer, an error of ours,
 * traces of the host in it, a polluted host, or a next cell that does not work. Empty if all held.
 */
export async function judgeHostileProgram(
  { id, code }: HostileProgram,
  codeMode: CodeMode,
  { timeoutMs, graceMs = 1000 }: HostileOptions,
): Promise<readonly string[]> {
  const scope = scopeOf(`hostile-${id}`, 1);
  const startedAt = performance.now();
  const result = await codeMode.exec({ code }, { scope });
  const elapsedMs = Math.round(performance.now() - startedAt);
  await codeMode.endRun(scope);
  const next = await codeMode.exec({ code: canary }, { scope: scopeOf("canary", 1) });
  const value = next.status === "completed" ? next.value : next;
  return [
    ...(elapsedMs > timeoutMs + graceMs ? [`answered after ${elapsedMs} ms, the budget is ${timeoutMs} ms`] : []),
    ...resultFaults(result),
    ...codeFaults(result),
    ...leaks(result),
    ...(Reflect.has({}, "polluted") || Reflect.has({}, "then") ? ["the host's Object.prototype is polluted"] : []),
    ...(isDeepStrictEqual(value, canaryValue) ? [] : [`the next cell gave ${JSON.stringify(value).slice(0, 300)}`]),
  ];
}

function codeFaults(result: CodeModeResult): readonly string[] {
  if (result.status !== "failed") return [];
  if (result.code === "internal_error" || result.code === "runtime_unavailable")
    return [`${result.code}: ${result.error.slice(0, 300)}`];
  return result.code !== undefined && codeModeErrorCodes.includes(result.code)
    ? []
    : [`the error code is ${result.code}`];
}

/** Paths and module names that only the host has. */
function leaks(result: CodeModeResult): readonly string[] {
  const shown = JSON.stringify(withoutFrame(result));
  const traces = ["node:internal", "node_modules", "worker_threads", "LOADED", process.cwd()];
  return traces.filter((trace) => shown.includes(trace)).map((trace) => `the result shows ${trace}`);
}

/** A code frame quotes the submitted source, which may name anything. */
function withoutFrame(result: CodeModeResult): JsonObject {
  const { position: _, ...rest } = result as CodeModeResult & { position?: unknown };
  return rest as unknown as JsonObject;
}
