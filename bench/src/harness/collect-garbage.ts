/**
 * Collects garbage now, so that a round does not pay for the one before.
 * @throws Error when Node was started without `--expose-gc`
 */
export function collectGarbage(): void {
  if (globalThis.gc === undefined) throw new Error("start Node with --expose-gc");
  globalThis.gc();
}
