import type { HostMessage, OutputUse, PackedVm, ThreadLimits } from "@code-mode/bridge";
import { CodeModeError, type CodeModeOutput, fixedLimits } from "@code-mode/contract";
import type { CellPool, Lease, LostTurn, ParkReply, TurnReply } from "@code-mode/supervisor";
import type { Budget } from "./budget.ts";
import type { Cell } from "./cell.ts";
import type { CellEnd } from "./cell-end.ts";
import { dispatchCalls } from "./dispatch-calls.ts";
import { waitForWork } from "./wait-for-work.ts";

/** A cell that waits longer than this lets go of its worker: packing costs 0.3 ms, a held worker another cell's time. */
const graceMs = 5;

/**
 * A guest that has something to do gets at least this long (or half of a shorter budget): a reply that arrives in
 * the last millisecond must not end as `timeout` a program that was only waiting.
 */
const leastSliceMs = 250;

/** What a driver works with. */
export type DriverParts = { readonly pool: CellPool; readonly cell: Cell; readonly budget: Budget };

/** Drives one cell through one exec or wait call: turns, calls, parking, until it ends or must be suspended. */
export class CellDriver {
  readonly #pool: CellPool;
  readonly #cell: Cell;
  readonly #budget: Budget;
  #lease: Lease | undefined;
  /** The VM could not be packed: it stays on its worker. */
  #unpackable = false;
  readonly #onAbort = (): void => this.#lease?.stop();

  constructor({ pool, cell, budget }: DriverParts) {
    this.#pool = pool;
    this.#cell = cell;
    this.#budget = budget;
  }

  /** Never rejects. */
  async run(): Promise<CellEnd> {
    const { signal } = this.#cell;
    signal.addEventListener("abort", this.#onAbort);
    try {
      return await this.#drive();
    } catch (error) {
      if (signal.aborted) return { kind: "fault", fault: { kind: "aborted" } };
      if (CodeModeError.is(error)) return { kind: "error", error };
      return {
        kind: "error",
        error: new CodeModeError("internal_error", "the cell failed on the host", { cause: error }),
      };
    } finally {
      signal.removeEventListener("abort", this.#onAbort);
      this.#release();
    }
  }

  async #drive(): Promise<CellEnd> {
    for (;;) {
      const reply = await this.#enter();
      if (reply === undefined) return this.#withoutWorker();
      if (reply.type === "lost") {
        this.#keepOutput(reply.output?.items, reply.output?.use);
        return this.#cell.signal.aborted
          ? { kind: "fault", fault: { kind: "aborted" } }
          : { kind: "lost", end: reply.end };
      }
      if (this.#cell.signal.aborted) {
        this.#keepOutput(reply.output, reply.outputUse);
        return { kind: "fault", fault: { kind: "aborted" } };
      }
      this.#absorb(reply);
      const { state } = reply;
      if (state.kind === "done") return { kind: "done", valueJson: state.valueJson, valueBytes: state.valueBytes };
      if (state.kind === "fault") return { kind: "fault", fault: state.fault };
      this.#cell.yielded = state.kind === "yield";
      this.#cell.timerDueAt =
        state.kind === "idle" && state.timerMs !== undefined ? Date.now() + state.timerMs : undefined;
      if (state.kind === "yield") return this.#suspend("yield", state.reason);
      const event = await this.#idle();
      if (event === "aborted") return { kind: "fault", fault: { kind: "aborted" } };
      if (event === "budget" || event === "approval") return this.#suspend(this.#reason(), undefined);
    }
  }

  /** No worker was free before the budget from receipt ended: a started program goes on later, a new one never ran. */
  #withoutWorker(): Promise<CellEnd> | CellEnd {
    if (this.#cell.packed !== undefined) return this.#suspend(this.#reason(), undefined);
    const { totalMs } = this.#budget;
    const text = `no worker was free within ${totalMs} ms of the receipt of the call: nothing of the program ran. Send it again when fewer programs run, or end some of them.`;
    const details = { timeoutMs: totalMs, started: false };
    return { kind: "error", error: new CodeModeError("timeout", text, { details }) };
  }

  #reason(): "pending_tools" | "yield" {
    return this.#cell.calls.hasWork ? "pending_tools" : "yield";
  }

  /** The next turn: on the live VM, by resuming the packed one, or by starting the program. Nothing without a worker. */
  async #enter(): Promise<TurnReply | LostTurn | undefined> {
    const cell = this.#cell;
    if (this.#lease !== undefined)
      return this.#lease.runTurn({ type: "deliver", ...this.#turn(this.#lease), replies: cell.calls.takeReplies() });
    const resumption = cell.packed !== undefined;
    const wanted = { session: cell.scope.sessionId, resumption, signal: cell.signal };
    const lease = this.#budget.fromReceipt
      ? await this.#pool.acquire({ ...wanted, withinMs: this.#budget.remainingMs })
      : await this.#budget.uncharged(() => this.#pool.acquire(wanted));
    if (lease === undefined) return undefined;
    this.#lease = lease;
    lease.worker.ensureCatalog(cell.catalog.hash, cell.catalog.guestText);
    return resumption ? this.#resume(lease) : this.#start(lease);
  }

  async #start(lease: Lease): Promise<TurnReply | LostTurn> {
    const { input, config, catalog, namespaces } = this.#cell;
    const loadCompiler = input.language === "typescript" && !lease.worker.compilerLoaded && !this.#budget.fromReceipt;
    const message: HostMessage & { type: "start" } = {
      type: "start",
      ...this.#turn(lease),
      catalogHash: catalog.hash,
      code: input.code,
      language: input.language,
      typescriptEnabled: config.languages.includes("typescript"),
      loadCompiler,
      limits: this.#limits(),
      ...(namespaces === undefined ? {} : { namespaces: namespaces.json }),
    };
    const from = performance.now();
    const reply = await lease.runTurn(message);
    // The thread charged the cell only from the moment its compiler was there.
    if (loadCompiler && lease.clockStartedAt !== undefined) this.#budget.extend(lease.clockStartedAt - from);
    return reply;
  }

  #resume(lease: Lease): Promise<TurnReply | LostTurn> {
    const cell = this.#cell;
    const packed = cell.packed as PackedVm;
    cell.packed = undefined;
    const endYield = cell.yielded;
    cell.yielded = false;
    return lease.runTurn(
      {
        type: "resume",
        ...this.#turn(lease),
        catalogHash: cell.catalog.hash,
        packed,
        limits: this.#limits(),
        outputUse: cell.outputUse,
        replies: cell.calls.takeReplies(),
        endYield,
      },
      [],
    );
  }

  #turn(lease: Lease): { cellId: string; turn: number; budgetMs: number } {
    const leastMs = Math.min(leastSliceMs, this.#budget.totalMs / 2);
    return { cellId: this.#cell.id, turn: lease.nextTurn(), budgetMs: Math.max(leastMs, this.#budget.remainingMs) };
  }

  #limits(): ThreadLimits {
    const { config } = this.#cell;
    return {
      maxOutputBytes: config.maxOutputBytes,
      maxToolInputBytes: fixedLimits.maxToolInputBytes,
      maxOutstandingCalls: config.maxPendingToolCalls + fixedLimits.maxQueuedToolCalls,
      maxSnapshotBytes: config.maxSnapshotBytes,
      maxValueBytes: fixedLimits.maxResultBytes,
    };
  }

  /** However a turn ended, what the program had written is not lost (OUT-1). */
  #keepOutput(items: readonly CodeModeOutput[] | undefined, use: OutputUse | undefined): void {
    if (items !== undefined) this.#cell.output.push(...items);
    if (use !== undefined) this.#cell.outputUse = use;
  }

  #absorb(reply: TurnReply): void {
    const cell = this.#cell;
    this.#keepOutput(reply.output, reply.outputUse);
    cell.prepared ??= reply.prepared;
    for (const hint of reply.hints ?? []) cell.hint(hint);
    dispatchCalls(cell, reply.callsJson);
  }

  /** Waits until the guest has something to do; lets go of the worker when that takes long or another cell needs it. */
  async #idle(): Promise<"work" | "budget" | "approval" | "aborted"> {
    // Tools that answer at once are the usual case: a look once all promises ran costs less than arming timers.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    if (!this.#cell.calls.isAnswered) await new Promise((resolve) => setImmediate(resolve));
    if (this.#cell.calls.hasReplies && !this.#cell.signal.aborted && this.#budget.remainingMs > 0) return "work";
    // A reply at the end still counts; a program that is answered at once again and again must see the end, though.
    if (this.#budget.overrunMs > leastSliceMs && !this.#cell.signal.aborted) return "budget";
    const lease = this.#lease;
    const waiting = { cell: this.#cell, budgetMs: this.#budget.remainingMs };
    if (lease === undefined || this.#unpackable) return waitForWork(waiting);
    const demand = this.#pool.hasDemand;
    const letGo = new Promise<void>((resolve) => {
      lease.onDemand = resolve;
    });
    const early = await waitForWork({ ...waiting, graceMs: demand ? 0 : graceMs, letGo });
    lease.onDemand = undefined;
    if (early !== "grace") return early;
    await this.#park();
    return waitForWork({ ...waiting, budgetMs: this.#budget.remainingMs });
  }

  /** Packs the VM inside the live call; when that fails the VM simply stays where it is. */
  async #park(): Promise<void> {
    const lease = this.#lease as Lease;
    const reply = await lease.park(this.#cell.id);
    if (reply.type !== "parked") {
      this.#unpackable = true;
      return;
    }
    this.#cell.packed = reply.packed;
    this.#release();
  }

  async #suspend(reason: "pending_tools" | "yield", yieldReason: string | undefined): Promise<CellEnd> {
    if (this.#lease !== undefined) {
      const reply: ParkReply = await this.#lease.park(this.#cell.id);
      if (reply.type === "lost") return { kind: "lost", end: reply.end };
      if (reply.type === "park_failed")
        return { kind: "snapshot", reason: reply.reason, bytes: reply.bytes, message: reply.message };
      this.#cell.packed = reply.packed;
      this.#release();
    }
    return { kind: "suspend", reason, yieldReason };
  }

  #release(): void {
    this.#lease?.release(this.#cell.id);
    this.#lease = undefined;
  }
}
