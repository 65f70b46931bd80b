import {
  type CellObserver,
  CodeModeError,
  type CodeModeResult,
  fixedLimits,
  messageOf,
  type RunScope,
  type SnapshotStore,
} from "@code-mode/contract";
import type { Budget } from "./budget.ts";
import type { Cell } from "./cell.ts";
import { CellDriver } from "./cell-driver.ts";
import type { CellEnd } from "./cell-end.ts";
import type { CellPools } from "./cell-pools.ts";
import { base, settleResult } from "./settle-result.ts";
import type { SuspendedRun, SuspendedRuns } from "./suspended-runs.ts";
import { restoreSnapshot, toSnapshot } from "./suspended-state.ts";
import { waitForWork } from "./wait-for-work.ts";

/** What a runner works with. */
export type CellRunnerParts = {
  readonly pools: CellPools;
  readonly store: SnapshotStore;
  readonly suspended: SuspendedRuns;
  readonly observer: CellObserver | undefined;
  visibleTools(scope: RunScope): readonly string[];
};

/** Takes cells through their legs: one leg is one exec or wait call, from entry to a result. */
export class CellRunner {
  readonly #parts: CellRunnerParts;
  readonly #live = new Set<Cell>();

  constructor(parts: CellRunnerParts) {
    this.#parts = parts;
  }

  /** Aborts the cells of matching scopes that a call drives now. */
  abortWhere(matches: (scope: RunScope) => boolean): void {
    for (const cell of this.#live) if (matches(cell.scope)) cell.controller.abort();
  }

  /** Whether a call drives a cell of another session now (LIFE-4). */
  hasCellsOfOthers(sessionId: string): boolean {
    for (const cell of this.#live) if (cell.scope.sessionId !== sessionId) return true;
    return false;
  }

  /** One wait call on an admitted run: blocks until there is work, then runs a leg. */
  async resume(run: SuspendedRun, budget: Budget, signal: AbortSignal | undefined): Promise<CodeModeResult> {
    const { cell } = run;
    const unlink = this.#link(cell, signal);
    const event = await waitForWork({ cell, budgetMs: budget.remainingMs, throughApprovals: true });
    unlink();
    if (event === "budget") {
      this.#parts.suspended.keep(cell, run.snapshotBytes);
      const reason = cell.calls.hasWork ? "pending_tools" : "yield";
      return this.#report(
        cell,
        this.#waitingResult(cell, { kind: "suspend", reason, yieldReason: undefined }, run.snapshotBytes),
      );
    }
    if (event === "aborted") {
      this.#parts.suspended.remove(cell.id);
      cell.controller.abort();
      return this.#report(cell, settleResult(cell, { kind: "fault", fault: { kind: "aborted" } }, this.#context(cell)));
    }
    const problem = await this.#restore(cell);
    if (problem !== undefined) return this.#report(cell, this.#finish(cell, { kind: "error", error: problem }));
    return this.run(cell, budget, signal);
  }

  /** Takes the VM out of the store; says why that was impossible. */
  async #restore(cell: Cell): Promise<CodeModeError | undefined> {
    try {
      const snapshot = await inTime(this.#parts.store.claim(cell.id), "claim");
      if (snapshot === undefined) throw new Error("it is no longer in the snapshot store");
      restoreSnapshot(cell, snapshot, await this.#parts.pools.of(cell.config).templateId());
      return undefined;
    } catch (error) {
      if (CodeModeError.is(error)) return error;
      const text = `the suspended program could not be restored: ${messageOf(error)}. It was given up; its calls were aborted.`;
      return new CodeModeError("internal_error", text, { cause: error });
    }
  }

  /** One leg of a cell: until it ends or is suspended. */
  async run(cell: Cell, budget: Budget, signal: AbortSignal | undefined): Promise<CodeModeResult> {
    this.#live.add(cell);
    cell.budget = budget;
    const unlink = this.#link(cell, signal);
    try {
      const end = await new CellDriver({ pool: this.#parts.pools.of(cell.config), cell, budget }).run();
      if (end.kind === "suspend" && !cell.signal.aborted) return this.#report(cell, await this.#suspend(cell, end));
      return this.#report(
        cell,
        this.#finish(cell, end.kind === "suspend" ? { kind: "fault", fault: { kind: "aborted" } } : end),
      );
    } finally {
      unlink();
      this.#live.delete(cell);
    }
  }

  #link(cell: Cell, signal: AbortSignal | undefined): () => void {
    if (signal === undefined) return () => undefined;
    const abort = (): void => cell.controller.abort();
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort);
    return () => signal.removeEventListener("abort", abort);
  }

  #finish(cell: Cell, end: Exclude<CellEnd, { kind: "suspend" }>): CodeModeResult {
    this.#parts.suspended.drop(cell.id);
    const result = settleResult(cell, end, this.#context(cell));
    cell.controller.abort();
    return result;
  }

  async #suspend(cell: Cell, end: Extract<CellEnd, { kind: "suspend" }>): Promise<CodeModeResult> {
    const packed = cell.packed;
    if (packed === undefined) throw new CodeModeError("internal_error", "a suspended cell has no packed VM");
    const bytes = packed.bytes.byteLength;
    try {
      this.#parts.suspended.assertRoom(cell);
      if (bytes > cell.config.maxSnapshotBytes)
        return this.#finish(cell, { kind: "snapshot", reason: "too_large", bytes, message: "" });
      // The slot is taken before anything is awaited: two cells must not share the last one.
      const run = this.#parts.suspended.keep(cell, bytes);
      run.resuming = true;
      await inTime(
        this.#parts.store.put(cell.id, toSnapshot(cell, packed, await this.#parts.pools.of(cell.config).templateId())),
        "put",
      );
      run.resuming = false;
      if (cell.signal.aborted) {
        // It was ended while it was being stored: the store must not keep it.
        await this.#parts.store.delete(cell.id);
        return this.#finish(cell, { kind: "fault", fault: { kind: "aborted" } });
      }
    } catch (error) {
      const problem = CodeModeError.is(error)
        ? error
        : new CodeModeError("internal_error", `the suspended program could not be stored: ${messageOf(error)}`, {
            cause: error,
          });
      return this.#finish(cell, { kind: "error", error: problem });
    }
    cell.packed = undefined;
    return this.#waitingResult(cell, end, bytes);
  }

  #waitingResult(cell: Cell, end: Extract<CellEnd, { kind: "suspend" }>, snapshotBytes: number): CodeModeResult {
    const pending = cell.calls.pending();
    return {
      status: "waiting",
      runId: cell.id,
      reason: end.reason,
      ...(end.yieldReason === undefined
        ? {}
        : { yieldReason: end.yieldReason.slice(0, fixedLimits.maxYieldReasonLength) }),
      ...(pending.length === 0 ? {} : { pendingToolCalls: pending }),
      ...(cell.input.restartSafe ? { restartSafe: true as const } : {}),
      ...base(cell, cell.takeOutput(), { ...this.#context(cell), snapshotBytes }),
    };
  }

  #report(cell: Cell, result: CodeModeResult): CodeModeResult {
    this.#parts.observer?.onCellEvent({
      type: "cell_result",
      cellId: cell.id,
      toolCallId: cell.toolCallId,
      result,
      durationMs: performance.now() - cell.legStartedAt,
    });
    return result;
  }

  #context(cell: Cell): { visibleTools: readonly string[] } {
    return { visibleTools: this.#parts.visibleTools(cell.scope) };
  }
}

/** A store that hangs must not hang its caller. */
const storeLimitMs = 10_000;

async function inTime<T>(work: Promise<T>, operation: string): Promise<T> {
  const limit = Promise.withResolvers<never>();
  const text = `the snapshot store did not finish ${operation} within ${storeLimitMs} ms`;
  const timer = setTimeout(() => limit.reject(new Error(text)), storeLimitMs);
  try {
    return await Promise.race([work, limit.promise]);
  } finally {
    clearTimeout(timer);
  }
}
