import type { BridgeCall, BridgeReply, JsonTextResult } from "@code-mode/bridge";
import { toGuestError, toJsonText } from "@code-mode/bridge";
import {
  type CodeModePendingToolCall,
  fixedLimits,
  type GuestError,
  type NestedOutcome,
  type NestedUpdate,
} from "@code-mode/contract";

/** How a tool call of the cell is carried out. */
export type RunNestedCall = (
  call: TrackedCall,
  options: { signal: AbortSignal; onUpdate(update: NestedUpdate): void },
) => Promise<NestedOutcome>;

/** One tool call from its first sight until it settles. */
export type TrackedCall = {
  readonly sequence: number;
  readonly callId: string;
  readonly toolId: string;
  readonly name: string;
  readonly input: unknown;
  readonly parentToolCallId: string;
  /** Native MCP results get a `.data` getter in the guest. */
  readonly mcp: boolean;
};

type Entry = TrackedCall & {
  status: "queued" | "running" | "awaiting_approval";
  readonly since: number;
  started: boolean;
  message?: string;
  approvalId?: string;
};

/** What ran, for telemetry and for results that ended badly. */
export type CallCounts = { completed: number; failed: number; pending: number; notStarted: number };

/** One line of a cell's ledger. */
export type LedgerLine = { readonly id: string; status: "completed" | "failed" | "pending" | "notStarted" };

/** Lines kept for error details; the counters go on. */
const maxLedgerLines = 64;

/** Options of `CallTable`. */
export type CallTableOptions = {
  readonly maxParallel: number;
  readonly run: RunNestedCall;
  readonly signal: AbortSignal;
};

/** The tool calls of one cell: bounded parallelism, a queue, and replies in settlement order. Each call settles once. */
export class CallTable {
  readonly #options: CallTableOptions;
  readonly #open = new Map<number, Entry>();
  readonly #queue: Entry[] = [];
  readonly #ledger = new Map<number, LedgerLine>();
  #replies: BridgeReply[] = [];
  #running = 0;
  #completed = 0;
  #failed = 0;
  #notStarted = 0;
  #wake: (() => void) | undefined;
  /** Searches and look-ups that the host has not answered yet. */
  hostCalls = 0;

  constructor(options: CallTableOptions) {
    this.#options = options;
  }

  get hasReplies(): boolean {
    return this.#replies.length > 0;
  }

  get pendingCount(): number {
    return this.#open.size;
  }

  /** The host works for the guest, or has answers that it has not seen. */
  get hasWork(): boolean {
    return this.#open.size + this.hostCalls > 0 || this.hasReplies;
  }

  /** All calls so far are answered, and the guest has not seen all of the answers. */
  get isAnswered(): boolean {
    return this.#open.size + this.hostCalls === 0 && this.hasReplies;
  }

  /** Every open call waits for a human: nothing will happen soon (APR-3). */
  get allAwaitApproval(): boolean {
    if (this.#open.size === 0 || this.hasReplies || this.hostCalls > 0) return false;
    for (const entry of this.#open.values()) if (entry.status !== "awaiting_approval") return false;
    return true;
  }

  get counts(): CallCounts {
    return { completed: this.#completed, failed: this.#failed, pending: this.#open.size, notStarted: this.#notStarted };
  }

  get ledger(): readonly LedgerLine[] {
    return [...this.#ledger.values()];
  }

  /** Called when a reply arrives or a call starts to wait for approval; replaced by each waiter. */
  onEvent(wake: (() => void) | undefined): void {
    this.#wake = wake;
  }

  add(call: TrackedCall): void {
    if (this.#queue.length >= fixedLimits.maxQueuedToolCalls) {
      const message = `more than ${this.#options.maxParallel} running and ${fixedLimits.maxQueuedToolCalls} queued calls; await them in smaller batches`;
      const facts = { code: "too_many_pending_calls", toolId: call.toolId, name: "Error" };
      this.refuse(call.sequence, call.toolId, toGuestError(new RangeError(message), facts));
      return;
    }
    const entry: Entry = { ...call, status: "queued", since: performance.now(), started: false };
    this.#open.set(call.sequence, entry);
    this.#note(call.sequence, call.toolId, "pending");
    this.#queue.push(entry);
    this.#startNext();
  }

  /** Rejects a tool call that never starts. */
  refuse(sequence: number, toolId: string, error: GuestError): void {
    this.#notStarted++;
    this.#note(sequence, toolId, "notStarted");
    this.reply(sequence, { error });
  }

  /** Queues a reply for the guest; also used for calls that the host answers itself. */
  reply(sequence: number, answer: { json: string; mcp?: boolean } | { error: GuestError }): void {
    this.#replies.push(
      "error" in answer
        ? { sequence, ok: false, error: answer.error }
        : { sequence, ok: true, json: answer.json, ...(answer.mcp === true ? { mcp: true } : {}) },
    );
    this.#wake?.();
  }

  takeReplies(): BridgeReply[] {
    const replies = this.#replies;
    this.#replies = [];
    return replies;
  }

  /** Open calls in call order, without inputs. */
  pending(): CodeModePendingToolCall[] {
    return [...this.#open.values()].map((entry) => ({
      callId: entry.callId,
      id: entry.toolId,
      name: entry.name,
      elapsedMs: Math.round(performance.now() - entry.since),
      status: entry.status,
      ...(entry.approvalId === undefined ? {} : { approvalId: entry.approvalId }),
      ...(entry.message === undefined ? {} : { message: entry.message }),
    }));
  }

  #startNext(): void {
    while (this.#queue.length > 0 && this.#running < this.#options.maxParallel && !this.#options.signal.aborted) {
      const entry = this.#queue.shift() as Entry;
      entry.status = "running";
      this.#running++;
      void this.#run(entry);
    }
  }

  async #run(entry: Entry): Promise<void> {
    const { run, signal } = this.#options;
    const outcome = await run(entry, { signal, onUpdate: (update) => this.#update(entry, update) });
    if (entry.status === "running") this.#running--;
    this.#open.delete(entry.sequence);
    this.#count(entry, outcome);
    if (!signal.aborted) this.#settle(entry, outcome);
    this.#startNext();
  }

  #update(entry: Entry, update: NestedUpdate): void {
    if (update.message !== undefined) entry.message = update.message;
    if (update.type === "started") {
      entry.started = true;
      if (entry.status === "awaiting_approval") this.#running++;
      entry.status = "running";
    }
    if (update.type !== "awaiting_approval" || entry.status === "awaiting_approval") return;
    // A call that waits for a human holds no parallel slot.
    this.#running--;
    entry.status = "awaiting_approval";
    if (update.approvalId !== undefined) entry.approvalId = update.approvalId;
    this.#startNext();
    this.#wake?.();
  }

  #count(entry: Entry, outcome: NestedOutcome): void {
    if (outcome.ok) this.#completed++;
    else if (outcome.started) this.#failed++;
    else this.#notStarted++;
    this.#note(entry.sequence, entry.toolId, outcome.ok ? "completed" : outcome.started ? "failed" : "notStarted");
  }

  #settle(entry: Entry, outcome: NestedOutcome): void {
    if (!outcome.ok) this.reply(entry.sequence, { error: outcome.error });
    else this.#settleValue(entry, toJsonText(outcome.value));
  }

  #settleValue(entry: Entry, json: JsonTextResult): void {
    if (json.ok) {
      this.reply(entry.sequence, { json: json.text, mcp: entry.mcp });
      return;
    }
    const problem = new TypeError(`the reply of ${entry.toolId} is no JSON: ${json.problem}`);
    const facts = { code: "tool_error", toolId: entry.toolId, name: "Error" };
    this.reply(entry.sequence, { error: toGuestError(problem, facts) });
  }

  #note(sequence: number, id: string, status: LedgerLine["status"]): void {
    const line = this.#ledger.get(sequence);
    if (line !== undefined) line.status = status;
    else if (this.#ledger.size < maxLedgerLines) this.#ledger.set(sequence, { id, status });
  }
}

/** The calls of a drain that run tools, apart from those the host answers itself. */
export function isToolCall(call: BridgeCall): boolean {
  return call.kind === "call" || call.kind === "native" || call.kind === "namespace";
}
