/** Random numbers in [0, 1) that repeat for the same seed (mulberry32). */
export type SeededRandom = {
  next(): number;
  /** An integer from 0 up to, not including, `below`. */
  integer(below: number): number;
  pick<T>(items: readonly T[]): T;
};

/** Creates a generator; two of one seed give the same numbers. */
export function createSeededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b_79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const integer = (below: number): number => Math.floor(next() * below);
  return { next, integer, pick: <T>(items: readonly T[]): T => items[integer(items.length)] as T };
}
