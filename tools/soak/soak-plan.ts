/** What one cell of the soak does. */
export type SoakKind = "trivial" | "call" | "suspend" | "guest-error" | "timeout" | "out-of-memory";

/** Shares in per cent; they add up to 100. */
export const soakMix: readonly (readonly [SoakKind, number])[] = [
  ["trivial", 80],
  ["call", 10],
  ["suspend", 5],
  ["guest-error", 3],
  ["timeout", 1],
  ["out-of-memory", 1],
];

/** The kinds of `count` cells in the order they start: the same seed gives the same soak. */
export function buildSoakPlan(count: number, seed: number): SoakKind[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => kindAt(random() * 100));
}

function kindAt(point: number): SoakKind {
  let end = 0;
  for (const [kind, share] of soakMix) {
    end += share;
    if (point < end) return kind;
  }
  return "trivial";
}

/** Numbers in [0, 1) from a 32-bit state (mulberry32's recurrence). */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
