import type { CatalogTool } from "@code-mode/contract";
import type { SearchEngine, ToolRanker } from "./search-engine.ts";
import { SearchIndex, type SearchTables } from "./search-index.ts";
import { buildSegment, type Segment } from "./segment.ts";
import { groupByOwner, SegmentCache } from "./segment-cache.ts";
import { SlicedTask, type SliceListener } from "./sliced-task.ts";
import { stopTerms } from "./stop-words.ts";
import { synonymTable } from "./synonyms.ts";
import { stemOf, Tokenizer } from "./tokenize.ts";

/** Options of `createLexicalEngine`. */
export type LexicalEngineOptions = {
  /** Hears how many entries each stretch of index work handled; for tests and figures. */
  readonly onSlice?: SliceListener;
  /** Hears of each owner whose tools are indexed; for tests and figures. */
  readonly onIndex?: (tools: number) => void;
};

/**
 * Search by words: BM25F with stems, parameter names and synonyms. Tools are indexed by owner, so a server that changes
 * is indexed again alone, in slices that leave the event loop its turns.
 */
export function createLexicalEngine(options: LexicalEngineOptions = {}): SearchEngine {
  const parts = { options, cache: new SegmentCache(), tables: { stop: stopTerms(), synonyms: stemmedSynonyms() } };
  return { open: (tools) => new LexicalRanker(tools, parts) };
}

type EngineParts = {
  readonly options: LexicalEngineOptions;
  readonly cache: SegmentCache;
  readonly tables: SearchTables;
};

class LexicalRanker implements ToolRanker {
  readonly #index: SlicedTask<SearchIndex>;

  constructor(tools: readonly CatalogTool[], parts: EngineParts) {
    this.#index = new SlicedTask(buildIndex(tools, parts), parts.options.onSlice);
  }

  async rank(query: string, limit: number): Promise<number[]> {
    return (await this.#index.run()).search(query, limit);
  }

  rankNow(query: string, limit: number): number[] {
    return this.#index.finish().search(query, limit);
  }
}

function* buildIndex(
  tools: readonly CatalogTool[],
  { options, cache, tables }: EngineParts,
): Generator<undefined, SearchIndex> {
  // lives as long as this work: it remembers every word it reads
  const tokenizer = new Tokenizer();
  const segments: Segment[] = [];
  for (const group of groupByOwner(tools)) {
    let segment = cache.get(group);
    if (segment === undefined) {
      options.onIndex?.(group.length);
      segment = yield* buildSegment(group, { tokenizer, stop: tables.stop });
      cache.set(group, segment);
    }
    segments.push(segment);
  }
  return yield* SearchIndex.build(segments, tables);
}

function stemmedSynonyms(): Map<string, readonly string[]> {
  const table = new Map<string, string[]>();
  for (const [word, others] of synonymTable()) {
    const stem = stemOf(word);
    const stems = others.map(stemOf).filter((other) => other !== stem);
    table.set(stem, [...new Set([...(table.get(stem) ?? []), ...stems])]);
  }
  return table;
}
