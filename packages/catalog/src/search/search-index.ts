import type { CatalogTool } from "@code-mode/contract";
import { nearestOf } from "../nearest-names.ts";
import { correctionWeight, nameBonus, saturation, synonymWeight } from "./field-weights.ts";
import { buildPostings, type Postings } from "./postings.ts";
import { joinPhrases } from "./query-phrases.ts";
import { stopTerms } from "./stop-words.ts";
import { synonymTable } from "./synonyms.ts";
import { stemOf, Tokenizer } from "./tokenize.ts";
import { topRanked } from "./top-ranked.ts";

/** A longer query is not a query; reading it would cost time that a hostile program decides. */
const maxQueryLength = 2_000;
/** Distinct words of a query that are looked up. */
const maxQueryTerms = 32;
/** Shorter unknown words are not corrected: they are near to everything. */
const minCorrectedLength = 5;

/** BM25F over a list of tools: built once in linear time; a query touches only the postings of its words. */
export class SearchIndex {
  readonly #stop: ReadonlySet<string> = stopTerms();
  readonly #postings: Postings;
  readonly #synonyms: ReadonlyMap<string, readonly string[]>;
  readonly #size: number;
  #nameTerms: readonly string[] | undefined;

  constructor(tools: readonly CatalogTool[]) {
    this.#size = tools.length;
    this.#synonyms = stemmedSynonyms();
    this.#postings = buildPostings(tools, this.#stop);
  }

  /** Positions of the `limit` tools that match best, best first; equal scores keep catalog order. */
  search(query: string, limit: number): number[] {
    const terms = this.#queryTerms(query);
    const scores = new Float64Array(this.#size);
    for (const term of terms) this.#addTerm(term, scores);
    const wanted = new Set(terms);
    for (let document = 0; document < scores.length; document++) {
      const score = scores[document] ?? 0;
      if (score > 0) scores[document] = score * (1 + nameBonus * this.#nameShare(document, wanted));
    }
    return topRanked(scores, limit);
  }

  #queryTerms(query: string): string[] {
    const terms = new Tokenizer().terms(joinPhrases(query.slice(0, maxQueryLength)));
    const telling = terms.filter((term) => !this.#stop.has(term));
    return [...new Set(telling.length > 0 ? telling : terms)].slice(0, maxQueryTerms);
  }

  /** A word and its synonyms score as one: a tool that says both is no better than one that repeats the word. */
  #addTerm(term: string, scores: Float64Array): void {
    const weights = new Float64Array(this.#size);
    for (const { word, factor } of this.#alternatives(term)) {
      const posting = this.#postings.terms.get(word);
      if (posting === undefined) continue;
      for (let index = 0; index < posting.documents.length; index++) {
        const document = posting.documents[index] ?? 0;
        weights[document] = (weights[document] ?? 0) + factor * (posting.weights[index] ?? 0);
      }
    }
    const found =
      this.#postings.terms.get(term)?.documents.length ??
      weights.reduce((count, weight) => count + (weight > 0 ? 1 : 0), 0);
    const rarity = Math.log(1 + (this.#size - found + 0.5) / (found + 0.5));
    for (let document = 0; document < weights.length; document++) {
      const weight = weights[document] ?? 0;
      if (weight > 0) scores[document] = (scores[document] ?? 0) + (rarity * weight) / (saturation + weight);
    }
  }

  #alternatives(term: string): { word: string; factor: number }[] {
    const synonyms = (this.#synonyms.get(term) ?? []).map((word) => ({ word, factor: synonymWeight }));
    const known = this.#postings.terms.has(term) || synonyms.some(({ word }) => this.#postings.terms.has(word));
    const correction = known ? undefined : this.#correct(term);
    return [
      { word: term, factor: 1 },
      ...synonyms,
      ...(correction === undefined ? [] : [{ word: correction, factor: correctionWeight }]),
    ];
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
