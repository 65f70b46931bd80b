/** Most entries handled between two turns of the event loop. */
export const maxEntriesPerSlice = 64;
/** Longest stretch between two turns of the event loop; a single entry is never split. */
const maxSliceMs = 6;

/** Hears how many entries a slice handled. */
export type SliceListener = (entries: number) => void;

/**
 * Long work in small steps. Whoever needs the result at once finishes it at once; whoever can wait leaves the event loop
 * its turns. Both continue the same steps, so nothing is done twice.
 */
export class SlicedTask<Result> {
  readonly #steps: Generator<undefined, Result>;
  readonly #onSlice: SliceListener | undefined;
  #result: { readonly value: Result } | undefined;
  #running: Promise<Result> | undefined;

  /** @param steps yields after each entry */
  constructor(steps: Generator<undefined, Result>, onSlice?: SliceListener) {
    this.#steps = steps;
    this.#onSlice = onSlice;
  }

  /** The result, now. */
  finish(): Result {
    while (this.#result === undefined) this.#step();
    return this.#result.value;
  }

  /** The result, in slices of at most 64 entries. */
  run(): Promise<Result> {
    this.#running ??= this.#runSlices();
    return this.#running;
  }

  async #runSlices(): Promise<Result> {
    while (this.#result === undefined) {
      const entries = this.#slice();
      this.#onSlice?.(entries);
      if (this.#result === undefined) await nextTurn();
    }
    return this.#result.value;
  }

  #slice(): number {
    const endsAt = performance.now() + maxSliceMs;
    let entries = 0;
    while (entries < maxEntriesPerSlice && this.#step()) {
      entries++;
      if (performance.now() >= endsAt) break;
    }
    return entries;
  }

  /** False when the work is done. */
  #step(): boolean {
    const next = this.#steps.next();
    if (next.done === true) this.#result = { value: next.value };
    return next.done !== true;
  }
}

/** Resolves after the event loop has served everybody else. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
