/** Names longer than this are not compared: the distance costs length², and they may come from hostile code. */
const maxComparedLength = 128;

/**
 * The names closest to a misspelled one, best first.
 * @param wanted what was written
 * @param known what exists
 * @param limit most names returned, 3 by default
 */
export function nearestNames(wanted: string, known: Iterable<string>, limit = 3): string[] {
  if (wanted.length > maxComparedLength) return [];
  const needle = wanted.toLowerCase();
  const scored: { name: string; distance: number }[] = [];
  for (const name of known) {
    if (name.length > maxComparedLength) continue;
    const hay = name.toLowerCase();
    const distance = editDistance(needle, hay);
    const contained = needle.length >= 3 && (hay.includes(needle) || needle.includes(hay)) && hay.length >= 3;
    if (distance <= Math.max(1, Math.floor(Math.max(needle.length, hay.length) / 3)) || contained)
      scored.push({ name, distance: contained ? Math.min(distance, 2) : distance });
  }
  scored.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1));
  return scored.slice(0, limit).map((entry) => entry.name);
}

/** ` Did you mean a, b?`, or nothing when no name is near. */
export function didYouMean(wanted: string, known: Iterable<string>): string {
  const near = nearestNames(wanted, known);
  return near.length === 0 ? "" : ` Did you mean ${near.join(", ")}?`;
}

/** Optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours cost 1 each. */
function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min((previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, (beforePrevious[j - 2] ?? 0) + 1);
      current.push(best);
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[b.length] ?? 0;
}
