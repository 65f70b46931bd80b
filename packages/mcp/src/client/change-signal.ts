/** Lets any number of waiters sleep until the next change. */
export class ChangeSignal {
  readonly #waiters = new Set<() => void>();

  /** Wakes all that wait now. */
  notify(): void {
    for (const wake of [...this.#waiters]) wake();
  }

  /** Resolves at the next change; rejects when `signal` aborts. */
  next(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const done = (): void => {
        this.#waiters.delete(done);
        signal.removeEventListener("abort", done);
        if (signal.aborted) reject(signal.reason);
        else resolve();
      };
      this.#waiters.add(done);
      signal.addEventListener("abort", done, { once: true });
    });
  }
}
