import type { CallOptions, CodeModeResult, ModelTool } from "@code-mode/contract";

/** Most clients give up on a call after 45 to 60 s; a waiting result must reach them before (MCPS-3). */
export const longestCallMs = 40_000;

/** Over the budget: the runtime ends a program itself that got its worker in time, and that answer is the better one. */
const slackMs = 2_000;

/** What `withDeadline` needs to know. */
export type DeadlineOptions = {
  /** Budget of one call, from receipt. */
  readonly budgetMs: number;
  /** Default 2000. */
  readonly slackMs?: number;
  /** Nested calls that run now for a call; while there are some, the runtime answers `waiting` by itself. */
  pendingCalls(toolCallId: string): number;
};

/**
 * A control whose budget counts from receipt, queueing included (MCPS-3): the runtime starts its clock when a program gets
 * a worker, so a program that still waits for one, or got it too late, is ended here and the client gets its answer in time.
 */
export function withDeadline(control: ModelTool, options: DeadlineOptions): ModelTool {
  return { ...control, call: (input, call = {}) => callWithin(control, input, { call, ...options }) };
}

async function callWithin(
  control: ModelTool,
  input: unknown,
  { call, budgetMs, slackMs: slack = slackMs, pendingCalls }: DeadlineOptions & { readonly call: CallOptions },
): Promise<unknown> {
  const late = new AbortController();
  const timer = setTimeout(() => {
    if (pendingCalls(call.toolCallId ?? "") === 0) late.abort();
  }, budgetMs + slack);
  const signal = call.signal === undefined ? late.signal : AbortSignal.any([call.signal, late.signal]);
  try {
    const result = (await control.call(input, { ...call, signal })) as CodeModeResult;
    const endedHere = late.signal.aborted && call.signal?.aborted !== true;
    return endedHere && result.status === "failed" && result.code === "aborted" ? timedOut(result, budgetMs) : result;
  } finally {
    clearTimeout(timer);
  }
}

function timedOut(result: CodeModeResult & { status: "failed" }, budgetMs: number): CodeModeResult {
  const { completed = 0, failed = 0, pending = 0 } = result.telemetry.calls ?? {};
  const ran =
    completed + failed + pending === 0
      ? "nothing ran: no tool was called. Send it again, or send fewer programs at once."
      : "details.calls says which calls ran.";
  return {
    ...result,
    code: "timeout",
    error: `no worker was free within the ${budgetMs / 1000} s of one call; ${ran}`,
  };
}
