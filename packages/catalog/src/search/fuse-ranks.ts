/** How much the first places count against later ones; the usual value of reciprocal-rank fusion. */
const rankOffset = 60;

/** One ranking of several, by reciprocal ranks: what stands high in each comes first; equal ones keep catalog order. */
export function fuseRanks(rankings: readonly (readonly number[])[], limit: number): number[] {
  const scores = new Map<number, number>();
  for (const ranking of rankings)
    for (const [place, position] of ranking.entries())
      scores.set(position, (scores.get(position) ?? 0) + 1 / (rankOffset + place + 1));
  return [...scores]
    .sort(([one, oneScore], [other, otherScore]) => otherScore - oneScore || one - other)
    .slice(0, Math.max(0, limit))
    .map(([position]) => position);
}
