/** Wall-clock budget of one exec or wait call, on a monotonic clock; waiting for a worker is not charged (WAIT-6). */
export class Budget {
  readonly totalMs: number;
  #endsAt: number;

  constructor(totalMs: number) {
    this.totalMs = totalMs;
    this.#endsAt = performance.now() + totalMs;
  }

  get remainingMs(): number {
    return Math.max(0, this.#endsAt - performance.now());
  }

  /** Gives back time that must not be charged. */
  extend(ms: number): void {
    this.#endsAt += ms;
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
