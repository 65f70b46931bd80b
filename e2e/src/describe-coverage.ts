import type { Coverage } from "./coverage-of.ts";

/** The faults of a coverage as lines for a person; empty when there are none. */
export function describeCoverage(coverage: Coverage): readonly string[] {
  return [
    ...(coverage.uncited.length > 0
      ? [`no test cites ${coverage.uncited.join(" ")}: write one, or mark the id planned with the issue that owes it`]
      : []),
    ...coverage.unknown.map((citation) => `unknown requirement ${citation}: correct the id in the title`),
    ...coverage.crowded.map((place) => `more than two ids in one title, split the test: ${place}`),
  ];
}
