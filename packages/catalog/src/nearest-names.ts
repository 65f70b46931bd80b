import { nearestNames } from "@code-mode/contract";

/**
 * `nearestNames` for large catalogs: names whose length alone rules them out are not compared, because the comparison
 * costs length² and the wanted name may come from a hostile program in a loop.
 */
export function nearestOf(wanted: string, known: Iterable<string>, limit = 3): string[] {
  if (wanted.length > maxWantedLength) return [];
  const candidates: string[] = [];
  const needle = wanted.toLowerCase();
  for (const name of known) {
    const longest = Math.max(name.length, needle.length);
    const close = Math.abs(name.length - needle.length) <= Math.max(1, Math.floor(longest / 3));
    if (close || name.toLowerCase().includes(needle) || needle.includes(name.toLowerCase())) candidates.push(name);
    if (candidates.length >= maxCompared) break;
  }
  return nearestNames(wanted, candidates, limit);
}

/** Enough for every catalog seen (3,615 tools); bounds one lookup to some tens of milliseconds. */
const maxCompared = 5_000;

/** No name that exists is longer; looking for a megabyte in every name would take seconds. */
const maxWantedLength = 128;

/** ` Did you mean a, b?`, or nothing when no name is near. */
export function suggestion(near: readonly string[]): string {
  return near.length === 0 ? "" : ` Did you mean ${near.join(", ")}?`;
}
