import type { CatalogTool } from "@code-mode/contract";
import { DefinitionVectors, type EmbedTexts } from "./definition-vectors.ts";
import { fuseRanks } from "./fuse-ranks.ts";
import { createLexicalEngine } from "./lexical-engine.ts";
import type { SearchEngine, ToolRanker } from "./search-engine.ts";
import { nextTurn } from "./sliced-task.ts";
import { topRanked } from "./top-ranked.ts";

/** Options of `createHybridEngine`. */
export type HybridEngineOptions = {
  readonly embed: EmbedTexts;
  /** Search by words. Default `createLexicalEngine()`. */
  readonly lexical?: SearchEngine;
  /** Longest a search waits for vectors; then words alone decide, and the vectors come in time for a later one. Default 3000. */
  readonly patienceMs?: number;
  /** Hears why a search had to do without vectors. */
  readonly onProblem?: (error: unknown) => void;
};

/** Places of each ranking that are joined. */
const fusedDepth = 100;
/** Below this likeness (of at most 1) a tool is not what is meant. */
const minLikeness = 0.05;
/** Vectors compared between two turns of the event loop. */
const comparedPerSlice = 2_048;
const defaultPatienceMs = 3_000;
/** After a failure the model is left alone for a while, so that searches stay fast. */
const retryAfterMs = 30_000;

/**
 * Search by words and by meaning, joined by reciprocal ranks. Vectors are kept by the hash of each definition and shared
 * by all catalogs of the engine. A host whose model fails or is slow gets the search by words.
 */
export function createHybridEngine(options: HybridEngineOptions): SearchEngine {
  const lexical = options.lexical ?? createLexicalEngine();
  const meaning = new Meaning(options);
  return { open: (tools) => new HybridRanker(tools, { lexical: lexical.open(tools), meaning }) };
}

class HybridRanker implements ToolRanker {
  readonly #tools: readonly CatalogTool[];
  readonly #lexical: ToolRanker;
  readonly #meaning: Meaning;

  constructor(tools: readonly CatalogTool[], { lexical, meaning }: { lexical: ToolRanker; meaning: Meaning }) {
    this.#tools = tools;
    this.#lexical = lexical;
    this.#meaning = meaning;
  }

  async rank(query: string, limit: number): Promise<number[]> {
    const depth = Math.max(limit, fusedDepth);
    const [words, meant] = await Promise.all([
      this.#lexical.rank(query, depth),
      this.#meaning.rank(this.#tools, query, depth),
    ]);
    return meant === undefined ? words.slice(0, limit) : fuseRanks([words, meant], limit);
  }

  rankNow(query: string, limit: number): number[] {
    return this.#lexical.rankNow(query, limit);
  }
}

class Meaning {
  readonly #vectors: DefinitionVectors;
  readonly #options: HybridEngineOptions;
  #retryAt = 0;

  constructor(options: HybridEngineOptions) {
    this.#options = options;
    this.#vectors = new DefinitionVectors(options.embed);
  }

  /** Nothing when the vectors cannot be had in time. */
  async rank(tools: readonly CatalogTool[], query: string, limit: number): Promise<number[] | undefined> {
    if (performance.now() < this.#retryAt) return undefined;
    const patience = new AbortController();
    const ranked = this.#compare(tools, query, limit).catch((error: unknown) => {
      this.#retryAt = performance.now() + retryAfterMs;
      this.#options.onProblem?.(error);
      return undefined;
    });
    try {
      return await Promise.race([ranked, after(this.#options.patienceMs ?? defaultPatienceMs, patience.signal)]);
    } finally {
      patience.abort();
    }
  }

  async #compare(tools: readonly CatalogTool[], query: string, limit: number): Promise<number[]> {
    const [vectors, wanted] = await Promise.all([this.#vectors.of(tools), this.#vectors.ofQuery(query)]);
    const scores = new Float64Array(tools.length);
    for (const [position, vector] of vectors.entries()) {
      if (position % comparedPerSlice === comparedPerSlice - 1) await nextTurn();
      const likeness = product(vector, wanted);
      scores[position] = likeness >= minLikeness ? likeness : 0;
    }
    return topRanked(scores, limit);
  }
}

function product(one: Float32Array, other: Float32Array): number {
  if (one.length !== other.length)
    throw new TypeError(`embed returned vectors of different lengths (${one.length} and ${other.length}).`);
  let sum = 0;
  for (let index = 0; index < one.length; index++) sum += (one[index] ?? 0) * (other[index] ?? 0);
  return sum;
}

/** Resolves with nothing after a time, or when it is not needed any more. */
function after(milliseconds: number, signal: AbortSignal): Promise<undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, milliseconds, undefined);
  signal.addEventListener("abort", () => {
    clearTimeout(timer);
    resolve(undefined);
  });
  return promise;
}
