/** Cumulative counters of one agent run's catalog (TEL-1). */
export type RunCounters = { searchCount: number; describeCount: number; callCount: number };

/** Agent runs remembered at once: a host that never ends runs must not leak. */
const maxRuns = 10_000;

/** Per agent run: counters, and whatever else ends with it. */
export class PerRun<T> {
  readonly #create: () => T;
  readonly #byKey = new Map<string, T>();

  constructor(create: () => T) {
    this.#create = create;
  }

  get(key: string): T {
    let value = this.#byKey.get(key);
    if (value === undefined) {
      if (this.#byKey.size >= maxRuns) this.#byKey.delete(this.#byKey.keys().next().value as string);
      value = this.#create();
      this.#byKey.set(key, value);
    }
    return value;
  }

  delete(key: string): void {
    this.#byKey.delete(key);
  }
}
