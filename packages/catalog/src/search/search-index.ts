import type { CatalogTool } from "@code-mode/contract";
import { nearestOf } from "../nearest-names.ts";
import { correctionWeight, nameBonus, saturation, synonymWeight } from "./field-weights.ts";
import { buildPostings, type Postings } from "./postings.ts";
import { joinPhrases } from "./query-phrases.ts";
import { stopWords } from "./stop-words.ts";
import { synonymTable } from "./synonyms.ts";
import { Tokenizer } from "./tokenize.ts";

/** A longer query is not a query; reading it would cost time that a hostile program decides. */
const maxQueryLength = 2_000;
/** Distinct words of a query that are looked up. */
const maxQueryTerms = 32;
/** Shorter unknown words are not corrected: they are near to everything. */
const minCorrectedLength = 5;

/** BM25F over a list of tools: built once in linear time; a query touches only the postings of its words. */
export class SearchIndex {
  readonly #tokenizer = new Tokenizer();
  readonly #postings: Postings;
  readonly #synonyms: ReadonlyMap<string, readonly string[]>;
  readonly #size: number;
  #nameTerms: readonly string[] | undefined;

  constructor(tools: readonly CatalogTool[]) {
    this.#size = tools.length;
    this.#synonyms = this.#stemmedSynonyms();
    this.#postings = buildPostings(tools, this.#tokenizer);
  }

  /** Positions of the tools that match, best first; equal scores keep catalog order. */
  search(query: string): number[] {
    const terms = this.#queryTerms(query);
    const scores = new Float64Array(this.#size);
    const touched = new Set<number>();
    for (const term of terms) this.#addTerm(term, scores, touched);
    const wanted = new Set(terms);
    for (const document of touched) scores[document] = (scores[document] ?? 0) * (1 + nameBonus * this.#nameShare(document, wanted));
    return [...touched].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  }

  #queryTerms(query: string): string[] {
    const terms = this.#tokenizer.terms(joinPhrases(query.slice(0, maxQueryLength)));
    const telling = terms.filter((term) => !stopWords.has(term));
    return [...new Set(telling.length > 0 ? telling : terms)].slice(0, maxQueryTerms);
  }

  /** A word and its synonyms score as one: a tool that says both is no better than one that repeats the word. */
  #addTerm(term: string, scores: Float64Array, touched: Set<number>): void {
    const words = this.#alternatives(term);
    const weights = new Map<number, number>();
    for (const { word, factor } of words) {
      const posting = this.#postings.terms.get(word);
      posting?.documents.forEach((document, index) => weights.set(document, (weights.get(document) ?? 0) + factor * (posting.weights[index] ?? 0)));
    }
    const found = this.#postings.terms.get(term)?.documents.length ?? weights.size;
    const idf = Math.log(1 + (this.#size - found + 0.5) / (found + 0.5));
    for (const [document, weight] of weights) {
      scores[document] = (scores[document] ?? 0) + (idf * weight) / (saturation + weight);
      touched.add(document);
    }
  }

  #alternatives(term: string): { word: string; factor: number }[] {
    const synonyms = (this.#synonyms.get(term) ?? []).map((word) => ({ word, factor: synonymWeight }));
    const known = this.#postings.terms.has(term) || synonyms.some(({ word }) => this.#postings.terms.has(word));
    const correction = known ? undefined : this.#correct(term);
    return [{ word: term, factor: 1 }, ...synonyms, ...(correction === undefined ? [] : [{ word: correction, factor: correctionWeight }])];
  }

  /** The nearest word of any tool name for a word that no tool uses. */
  #correct(term: string): string | undefined {
    if (term.length < minCorrectedLength) return undefined;
    this.#nameTerms ??= [...new Set(this.#postings.names.flatMap((names) => [...names]))];
    const sameStart = this.#nameTerms.filter((name) => name[0] === term[0]);
    return nearestOf(term, sameStart, 1)[0];
  }

  #nameShare(document: number, wanted: ReadonlySet<string>): number {
    const name = this.#postings.names[document];
    if (name === undefined || name.size === 0) return 0;
    let shared = 0;
    for (const term of name) if (wanted.has(term)) shared++;
    return shared / name.size;
  }

  #stemmedSynonyms(): Map<string, readonly string[]> {
    const table = new Map<string, string[]>();
    for (const [word, others] of synonymTable()) {
      const stem = this.#tokenizer.stem(word);
      const stems = others.map((other) => this.#tokenizer.stem(other)).filter((other) => other !== stem);
      table.set(stem, [...new Set([...(table.get(stem) ?? []), ...stems])]);
    }
    return table;
  }
}
