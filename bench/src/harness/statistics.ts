/** Middle of a list of numbers; the mean of the two middle ones when their count is even. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/**
 * Value below which the share `share` (0 – 1) of the numbers lies, linearly interpolated.
 * @throws RangeError for an empty list: a measurement without values is a failed one
 */
export function quantile(values: readonly number[], share: number): number {
  if (values.length === 0) throw new RangeError("no values were measured");
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)] as number;
  const high = sorted[Math.ceil(at)] as number;
  return low + (high - low) * (at - Math.floor(at));
}

/** Ratios of two lists pair by pair: round n of one against round n of the other. */
export function pairRatios(over: readonly number[], under: readonly number[]): number[] {
  if (over.length !== under.length) throw new RangeError("pairs need two lists of one length");
  return over.map((value, index) => value / (under[index] as number));
}
