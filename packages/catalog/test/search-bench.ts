// Figures of the search over a large catalog: node --conditions=@code-mode/source packages/catalog/test/search-bench.ts [tools]
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { CodeModeTool } from "@code-mode/contract";
import { buildCatalog, createLexicalEngine } from "../src/index.ts";
import { generatedTools } from "./generated-tools.ts";

const count = Number(process.argv[2] ?? 50_000);
const rounds = 40;
const queries = [
  "list invoices of a region",
  "create ticket",
  "assign webhook owner",
  "export payment report",
  "delete label",
  "update sprint status",
  "which shipments are late",
  "serch invoces",
];

let most = 0;
const engine = createLexicalEngine({
  onSlice: (entries) => {
    most = Math.max(most, entries);
  },
});
const tools = generatedTools(count, 7);
const built = timed(() => buildCatalog({ tools }, { search: engine }));
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
const firstFrom = performance.now();
await built.value.searchApiSoon(queries[0] ?? "", 8);
const firstMs = performance.now() - firstFrom;
delay.disable();

const times: number[] = [];
for (let round = 0; round < rounds; round++)
  for (const query of queries) {
    const from = performance.now();
    await built.value.searchApiSoon(query, 8);
    times.push(performance.now() - from);
  }

const changed = tools.map((tool) => (ownerOf(tool) === "server-3" ? { ...tool } : tool));
const next = buildCatalog({ tools: changed }, { search: engine });
const againFrom = performance.now();
await next.searchApiSoon(queries[0] ?? "", 8);
const againMs = performance.now() - againFrom;

process.stdout.write(
  `${JSON.stringify({
    tools: count,
    catalogMs: round1(built.ms),
    firstSearchMs: round1(firstMs),
    longestBlockMs: round1(delay.max / 1e6),
    entriesPerSlice: most,
    p50Ms: round1(quantile(times, 0.5)),
    p95Ms: round1(quantile(times, 0.95)),
    firstAfterOneServerChangedMs: round1(againMs),
  })}\n`,
);

function ownerOf({ origin }: CodeModeTool): string | undefined {
  return origin?.kind === "mcp" ? origin.server : undefined;
}

function timed<Value>(action: () => Value): { value: Value; ms: number } {
  const from = performance.now();
  const value = action();
  return { value, ms: performance.now() - from };
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;
}

function round1(value: number): number {
  return Math.round(value * 10) / 10;
}
