import type { CodeMode, CodeModeResult, RunScope } from "@code-mode/contract";

/** How one cell is run to its end. */
export type RunCellOptions = {
  readonly scope: RunScope;
  readonly signal: AbortSignal;
  /** False: a cell that waits is what the caller gets. */
  readonly wait: boolean;
  /** Hears of each result of a cell that goes on. */
  onWaiting?(result: CodeModeResult & { readonly status: "waiting" }): void;
};

/** Runs one program; with `wait`, waits until it ends. The result holds the output of all its parts. */
export async function runCell(codeMode: CodeMode, input: object, options: RunCellOptions): Promise<CodeModeResult> {
  const { scope, signal } = options;
  let result = await codeMode.exec(input, { scope, signal, toolCallId: "exec-1" });
  for (let count = 1; options.wait && result.status === "waiting" && !signal.aborted; count++) {
    options.onWaiting?.(result);
    const earlier = result.output ?? [];
    const next = await codeMode.wait({ runId: result.runId }, { scope, signal, toolCallId: `wait-${count}` });
    // each result holds only what came since the last; the one that is printed must not lose the rest
    const output = [...earlier, ...(next.output ?? [])];
    result = output.length === 0 ? next : { ...next, output };
  }
  return result;
}
