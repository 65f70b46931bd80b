import { toGuestError } from "@code-mode/bridge";
import type { CellObserver, JsonValue, NestedOutcome, ToolExecutor } from "@code-mode/contract";
import type { RunNestedCall } from "./call-table.ts";
import type { Cell } from "./cell.ts";

/** Runs the calls of a cell through the executor and tells the observer; an executor that breaks its promise and rejects is a failed call. */
export function observedRun(cell: Cell, executor: ToolExecutor, observer: CellObserver | undefined): RunNestedCall {
  return async (call, options) => {
    const { callId, toolId, parentToolCallId } = call;
    const input = call.input as JsonValue;
    const event = { cellId: cell.id, callId, toolId, parentToolCallId };
    const startedAt = performance.now();
    observer?.onCellEvent({ type: "call_started", ...event, input });
    const outcome = await execute();
    observer?.onCellEvent({ type: "call_ended", ...event, outcome, durationMs: performance.now() - startedAt });
    return outcome;

    async function execute(): Promise<NestedOutcome> {
      const tool = cell.catalog.get(toolId)?.tool;
      try {
        const outcome: unknown = await executor.execute(
          {
            callId,
            cellId: cell.id,
            parentToolCallId,
            toolId,
            input,
            scope: cell.scope,
            restartSafe: cell.input.restartSafe,
          },
          {
            ...(tool === undefined ? {} : { tool }),
            signal: options.signal,
            onUpdate: (update) => {
              options.onUpdate(update);
              observer?.onCellEvent({ type: "call_progress", cellId: cell.id, callId, toolId, update });
            },
          },
        );
        if (!isOutcome(outcome)) throw new Error("the tool executor answered no outcome");
        return outcome;
      } catch (error) {
        return { ok: false, started: true, error: toGuestError(error, { code: "internal_error", toolId }) };
      }
    }
  };
}

/** An executor is a port: what it answers is checked before it counts, its value as JSON. */
function isOutcome(outcome: unknown): outcome is NestedOutcome {
  if (typeof outcome !== "object" || outcome === null) return false;
  const { ok, value, error } = outcome as { ok?: unknown; value?: unknown; error?: unknown };
  if (ok === true) return value !== undefined;
  return ok === false && typeof error === "object" && error !== null;
}

/** An observer that never throws: what it does with an event must not change a result. */
export function safeObserver(observer: CellObserver): CellObserver {
  return {
    onCellEvent: (event) => {
      try {
        const answer: unknown = observer.onCellEvent(event);
        // An asynchronous observer may reject later: that must not end the process.
        if (answer instanceof Promise) answer.catch(() => undefined);
      } catch {
        // The observer is broken; there is nowhere else to say so.
      }
    },
  };
}
