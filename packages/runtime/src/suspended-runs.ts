import { CodeModeError, type CodeModePendingToolCall, type RunScope, type SnapshotStore } from "@code-mode/contract";
import type { Cell } from "./cell.ts";

/** Of an id that is unknown, expired, aborted or finished (WAIT-3). */
export const unknownRunMessage = "code mode run is unavailable or expired.";

/** One suspended cell in this process; its VM rests in the snapshot store. */
export type SuspendedRun = {
  readonly cell: Cell;
  readonly snapshotBytes: number;
  resuming: boolean;
  expiry: NodeJS.Timeout;
  /** Wall-clock time of the suspension. */
  readonly since: number;
};

/** What is known of a suspended cell from outside; no inputs of its calls. */
export type SuspendedRunInfo = {
  readonly runId: string;
  readonly scope: RunScope;
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** Milliseconds since the epoch; nothing while a `wait` is on it, which stops its clock. */
  readonly expiresAt: number | undefined;
  readonly pending: readonly CodeModePendingToolCall[];
  readonly snapshotBytes: number;
};

/** Options of `SuspendedRuns`. */
export type SuspendedRunsOptions = {
  readonly store: SnapshotStore;
  readonly maxRuns: number;
  /** Whether a call drives a cell of another session now: the share counts those too. */
  othersRunning(sessionId: string): boolean;
  /** Called when a cell is removed before it ended: its calls must be aborted. */
  onRemoved(cell: Cell): void;
};

/** Which cells are suspended, whose they are, and when they expire (LIFE-1 … LIFE-4). */
export class SuspendedRuns {
  readonly #options: SuspendedRunsOptions;
  readonly #runs = new Map<string, SuspendedRun>();

  constructor(options: SuspendedRunsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#runs.size;
  }

  /** Every suspended cell, longest suspended first. */
  list(): readonly SuspendedRunInfo[] {
    const runs = [...this.#runs.values()].sort((a, b) => a.since - b.since);
    return runs.map(({ cell, since, snapshotBytes, resuming }) => ({
      runId: cell.id,
      scope: cell.scope,
      since,
      expiresAt: resuming ? undefined : since + cell.config.snapshotTtlSeconds * 1000,
      pending: cell.calls.pending(),
      snapshotBytes,
    }));
  }

  /** Whether one more cell of this session may be suspended; a cell inside `wait` keeps its slot. */
  assertRoom(cell: Cell): void {
    if (this.#runs.has(cell.id)) return;
    const { maxRuns } = this.#options;
    const { sessionId } = cell.scope;
    let own = 0;
    for (const run of this.#runs.values()) if (run.cell.scope.sessionId === sessionId) own++;
    const shared = own < this.#runs.size || this.#options.othersRunning(sessionId);
    const limit = shared ? Math.max(1, Math.ceil(maxRuns / 2)) : maxRuns;
    if (this.#runs.size >= maxRuns || own >= limit)
      throw new CodeModeError("invalid_input", "too many suspended code mode runs.", {
        details: { suspended: this.#runs.size, limit: maxRuns, ownLimit: limit },
      });
  }

  /** Registers a suspended cell, with a fresh time to live. */
  keep(cell: Cell, snapshotBytes: number): SuspendedRun {
    const before = this.#runs.get(cell.id);
    if (before !== undefined) clearTimeout(before.expiry);
    const expiry = setTimeout(() => this.remove(cell.id), cell.config.snapshotTtlSeconds * 1000);
    expiry.unref();
    const run = { cell, snapshotBytes, resuming: false, expiry, since: Date.now() };
    this.#runs.set(cell.id, run);
    return run;
  }

  /**
   * Admits one `wait`; the cell cannot expire until it is kept, released or dropped.
   * @throws CodeModeError `invalid_input` (WAIT-3); the run stays as it was
   */
  admit(runId: string, scope: RunScope): SuspendedRun {
    const run = this.#runs.get(runId);
    if (run === undefined) throw new CodeModeError("invalid_input", unknownRunMessage);
    const owner = run.cell.scope;
    if (owner.sessionId !== scope.sessionId || owner.agentId !== scope.agentId)
      throw new CodeModeError("invalid_input", "code mode run belongs to a different session.");
    if (run.cell.config.waitScope === "run" && owner.agentRunId !== scope.agentRunId)
      throw new CodeModeError("invalid_input", "code mode run belongs to a different agent run.");
    if (run.resuming) throw new CodeModeError("invalid_input", "code mode run is already being resumed.");
    run.resuming = true;
    clearTimeout(run.expiry);
    return run;
  }

  /** The cell ended: forget it without touching its calls. */
  drop(runId: string): void {
    const run = this.#runs.get(runId);
    if (run === undefined) return;
    clearTimeout(run.expiry);
    this.#runs.delete(runId);
  }

  /** Takes a cell out before it ended. */
  remove(runId: string): void {
    const run = this.#runs.get(runId);
    if (run === undefined) return;
    this.drop(runId);
    void this.#options.store.delete(runId);
    this.#options.onRemoved(run.cell);
  }

  removeWhere(matches: (scope: RunScope) => boolean): void {
    for (const [runId, run] of [...this.#runs]) if (matches(run.cell.scope)) this.remove(runId);
  }
}
