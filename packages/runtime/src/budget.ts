import type { ReceiptBudget } from "@code-mode/contract";

/**
 * Wall-clock budget of one exec or wait call, on a monotonic clock. Waiting for a worker is not charged (WAIT-6),
 * unless the caller counts from the receipt of the call (MCPS-3).
 */
export class Budget {
  readonly totalMs: number;
  /** Everything counts from the receipt: queueing, starting a worker, loading a compiler. */
  readonly fromReceipt: boolean;
  #endsAt: number;

  constructor(timeoutMs: number, receipt?: ReceiptBudget) {
    this.totalMs = receipt?.ms ?? timeoutMs;
    this.fromReceipt = receipt !== undefined;
    this.#endsAt = (receipt?.receivedAt ?? performance.now()) + this.totalMs;
  }

  get remainingMs(): number {
    return Math.max(0, this.#endsAt - performance.now());
  }

  /** Time since its end. */
  get overrunMs(): number {
    return Math.max(0, performance.now() - this.#endsAt);
  }

  /** Gives back time that must not be charged. */
  extend(ms: number): void {
    if (!this.fromReceipt) this.#endsAt += ms;
  }

  /** Runs `work` with the clock stopped. */
  async uncharged<T>(work: () => Promise<T>): Promise<T> {
    const from = performance.now();
    try {
      return await work();
    } finally {
      this.extend(performance.now() - from);
    }
  }
}
