/** What `listWithin` fits together. */
export type ListParts = {
  /** Stands before the first item. */
  readonly head: string;
  readonly items: readonly string[];
  readonly separator: string;
  /** How to see the items that were left out. */
  readonly more: string;
  /** Most UTF-8 bytes of the whole. */
  readonly maxBytes: number;
};

/**
 * As many items as fit, in order; the rest is counted: `a, b, … +3 more (how)`. Empty when there are no items or not
 * even the count fits.
 */
export function listWithin({ head, items, separator, more, maxBytes }: ListParts): string {
  if (items.length === 0) return "";
  const all = head + items.join(separator);
  if (Buffer.byteLength(all) <= maxBytes) return all;
  const tailOf = (kept: number) => `${kept === 0 ? "" : separator}… +${items.length - kept} more (${more})`;
  let used = Buffer.byteLength(head);
  let kept = 0;
  for (const item of items) {
    used += Buffer.byteLength(item) + (kept === 0 ? 0 : separator.length);
    if (used + Buffer.byteLength(tailOf(kept + 1)) > maxBytes) break;
    kept += 1;
  }
  const cut = head + items.slice(0, kept).join(separator) + tailOf(kept);
  return Buffer.byteLength(cut) <= maxBytes ? cut : "";
}
