/** The positions with the highest positive scores, best first; equal scores keep their order. Linear for small limits. */
export function topRanked(scores: Float64Array, limit: number): number[] {
  const top: number[] = [];
  if (limit <= 0) return top;
  for (let position = 0; position < scores.length; position++) {
    const score = scores[position] ?? 0;
    if (score <= 0 || (top.length === limit && score <= scoreAt(scores, top.at(-1)))) continue;
    let place = top.length;
    while (place > 0 && score > scoreAt(scores, top[place - 1])) place--;
    top.splice(place, 0, position);
    if (top.length > limit) top.pop();
  }
  return top;
}

function scoreAt(scores: Float64Array, position: number | undefined): number {
  return position === undefined ? 0 : (scores[position] ?? 0);
}
