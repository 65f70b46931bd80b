import { existsSync, readFileSync } from "node:fs";
import { buildCatalog } from "@code-mode/catalog";
import type { Catalog } from "@code-mode/contract";
import type { BenchContext, Benchmark, BenchRow } from "./harness/bench-context.ts";
import { emptyRow, formatMs, limitRow } from "./harness/bench-rows.ts";
import { generateTools } from "./harness/generated-tools.ts";
import { catalogsMissing, catalogTools, loadCatalogs } from "./harness/load-catalogs.ts";
import { quantile } from "./harness/statistics.ts";

const qualityTitle = {
  id: "B13",
  what: "search: needs answered by the first, by the first 8 tools",
  must: "hit@1 ≥ .43, hit@8 ≥ .75",
};
const timeTitle = { id: "B13b", what: "search over 3,600 tools, p95", must: "≤ 5 ms" };

const minHitAt1 = 0.43;
const minHitAt8 = 0.75;
const maxP95Ms = 5;
const generatedCount = 3_600;

/** Needs with the tools that answer them, written against the recorded catalogs. */
const queriesFile = new URL("../../../shared/data/search-queries.jsonl", import.meta.url);

/** A need in somebody's words; `relevant` names tools as `server/tool`. */
type Need = { readonly query: string; readonly relevant: readonly string[] };

const generatedQueries = [
  "list invoices of a region",
  "create ticket",
  "assign webhook owner",
  "export payment report",
  "delete label",
  "update sprint status",
];

/** B13: does search find what people mean, and how long does it take. */
export const searchQuality: Benchmark = {
  titles: [qualityTitle, timeTitle],
  async measure(context) {
    const servers = loadCatalogs();
    if (servers === undefined || !existsSync(queriesFile)) {
      const catalog = buildCatalog({ tools: generateTools(generatedCount, context.seed) });
      return [emptyRow(qualityTitle, "skipped", catalogsMissing), timeRow(catalog, generatedQueries, context)];
    }
    const tools = catalogTools(servers);
    const needs = readFileSync(queriesFile, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Need);
    const queries = needs.map(({ query }) => query);
    return [qualityRow(buildCatalog({ tools }), needs), timeRow(buildCatalog({ tools }), queries, context)];
  },
};

function qualityRow(catalog: Catalog, needs: readonly Need[]): BenchRow {
  const ranks = needs.map(({ query, relevant }) =>
    catalog.searchApi(query, 50).findIndex(({ server, name }) => relevant.includes(`${server}/${name}`)),
  );
  const hitAt = (most: number): number => ranks.filter((rank) => rank >= 0 && rank < most).length / ranks.length;
  const values = {
    needs: needs.length,
    hitAt1: hitAt(1),
    hitAt5: hitAt(5),
    hitAt8: hitAt(8),
    reciprocalRank: meanReciprocalRank(ranks),
  };
  const text = `hit@1 ${values.hitAt1.toFixed(3)}, hit@5 ${values.hitAt5.toFixed(3)}, hit@8 ${values.hitAt8.toFixed(3)}, MRR ${values.reciprocalRank.toFixed(3)}`;
  return limitRow(qualityTitle, { text, fits: values.hitAt1 >= minHitAt1 && values.hitAt8 >= minHitAt8 }, values);
}

function meanReciprocalRank(ranks: readonly number[]): number {
  return ranks.reduce((sum, rank) => sum + (rank < 0 ? 0 : 1 / (rank + 1)), 0) / ranks.length;
}

/** The first search builds the index and is shown apart. */
function timeRow(catalog: Catalog, queries: readonly string[], { rounds }: BenchContext): BenchRow {
  const firstMs = timed(() => catalog.searchApi(queries[0] ?? "", 8));
  const times = Array.from({ length: rounds }, () =>
    queries.map((query) => timed(() => catalog.searchApi(query, 8))),
  ).flat();
  const p95 = quantile(times, 0.95);
  const text = `${formatMs(p95)} (p50 ${formatMs(quantile(times, 0.5))}, first with index ${formatMs(firstMs)})`;
  return limitRow(timeTitle, { text, fits: p95 <= maxP95Ms }, { times, firstMs, p95 });
}

function timed(action: () => unknown): number {
  const from = performance.now();
  action();
  return performance.now() - from;
}
