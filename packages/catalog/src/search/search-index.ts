import { nearestOf } from "../nearest-names.ts";
import { correctionWeight, nameBonus, saturation, searchFields, synonymWeight } from "./field-weights.ts";
import { joinPhrases } from "./query-phrases.ts";
import type { Posting, Segment } from "./segment.ts";
import { Tokenizer } from "./tokenize.ts";
import { topRanked } from "./top-ranked.ts";

/** A longer query is not a query; reading it would cost time that a hostile program decides. */
const maxQueryLength = 2_000;
/** Distinct words of a query that are looked up. */
const maxQueryTerms = 32;
/** Shorter unknown words are not corrected: they are near to everything. */
const minCorrectedLength = 5;

/** Tables that depend on no tool. */
export type SearchTables = {
  readonly stop: ReadonlySet<string>;
  readonly synonyms: ReadonlyMap<string, readonly string[]>;
};

/** BM25F over segments. A query touches only the postings of its words. */
export class SearchIndex {
  readonly #tables: SearchTables;
  readonly #segments: readonly { readonly segment: Segment; readonly offset: number }[];
  readonly #size: number;
  readonly #names: readonly ReadonlySet<string>[];
  /** What one occurrence in a field counts in a tool: the field's weight, discounted by its length. */
  readonly #weights: Float64Array;
  /** Words of tool names by their first letter. */
  readonly #nameTerms: ReadonlyMap<string, ReadonlySet<string>>;

  private constructor(segments: readonly Segment[], tables: SearchTables, parts: IndexParts) {
    this.#tables = tables;
    let offset = 0;
    this.#segments = segments.map((segment) => {
      const placed = { segment, offset };
      offset += segment.size;
      return placed;
    });
    this.#size = offset;
    this.#names = parts.names;
    this.#weights = parts.weights;
    this.#nameTerms = parts.nameTerms;
  }

  /** Puts segments together, one tool per step. */
  static *build(segments: readonly Segment[], tables: SearchTables): Generator<undefined, SearchIndex> {
    const size = segments.reduce((sum, segment) => sum + segment.size, 0);
    const averages = averageLengths(segments, size);
    const weights = new Float64Array(size * searchFields.length);
    const names: ReadonlySet<string>[] = [];
    const nameTerms = new Map<string, Set<string>>();
    for (const { lengths, names: own } of segments) {
      for (const [document, name] of own.entries()) {
        for (const [field, { weight, lengthPenalty }] of searchFields.entries()) {
          const length = lengths[document * searchFields.length + field] ?? 0;
          const norm = 1 - lengthPenalty + (lengthPenalty * length) / Math.max(1, averages[field] ?? 1);
          weights[names.length * searchFields.length + field] = weight / norm;
        }
        names.push(name);
        for (const term of name) addByLetter(nameTerms, term);
        if (names.length % assembledPerStep === 0) yield;
      }
    }
    return new SearchIndex(segments, tables, { weights, names, nameTerms });
  }

  /** Positions of the `limit` tools that match best, best first; equal scores keep catalog order. */
  search(query: string, limit: number): number[] {
    const terms = this.#queryTerms(query);
    const scores = new Float64Array(this.#size);
    const weights = new Float64Array(this.#size);
    for (const term of terms) this.#addTerm(term, scores, weights);
    const wanted = new Set(terms);
    for (let document = 0; document < scores.length; document++) {
      const score = scores[document] ?? 0;
      if (score > 0) scores[document] = score * (1 + nameBonus * this.#nameShare(document, wanted));
    }
    return topRanked(scores, limit);
  }

  #queryTerms(query: string): string[] {
    const terms = new Tokenizer().terms(joinPhrases(query.slice(0, maxQueryLength)));
    const telling = terms.filter((term) => !this.#tables.stop.has(term));
    return [...new Set(telling.length > 0 ? telling : terms)].slice(0, maxQueryTerms);
  }

  /** A word and its synonyms score as one: a tool that says both is no better than one that repeats the word. */
  #addTerm(term: string, scores: Float64Array, weights: Float64Array): void {
    const touched: number[] = [];
    const alternatives = this.#alternatives(term);
    for (const { places, factor } of alternatives) this.#addWord(places, factor, { weights, touched });
    const own = alternatives[0]?.places ?? [];
    const found = own.reduce((count, { posting }) => count + posting.documents, 0) || touched.length;
    const rarity = Math.log(1 + (this.#size - found + 0.5) / (found + 0.5));
    for (const document of touched) {
      const weight = weights[document] ?? 0;
      weights[document] = 0;
      scores[document] = (scores[document] ?? 0) + (rarity * weight) / (saturation + weight);
    }
  }

  #addWord(places: readonly WordPlace[], factor: number, sums: { weights: Float64Array; touched: number[] }): void {
    const { weights, touched } = sums;
    for (const { offset, posting } of places) {
      const { entries } = posting;
      for (let at = 0; at < entries.length; at += 3) {
        const document = offset + (entries[at] ?? 0);
        const before = weights[document] ?? 0;
        if (before === 0) touched.push(document);
        const weight = this.#weights[document * searchFields.length + (entries[at + 1] ?? 0)] ?? 0;
        weights[document] = before + factor * weight * (entries[at + 2] ?? 0);
      }
    }
  }

  /** Where the word occurs, segment by segment. */
  #placesOf(word: string): WordPlace[] {
    const places: WordPlace[] = [];
    for (const { segment, offset } of this.#segments) {
      const posting = segment.terms.get(word);
      if (posting !== undefined) places.push({ offset, posting });
    }
    return places;
  }

  /** The word itself first. */
  #alternatives(term: string): { places: readonly WordPlace[]; factor: number }[] {
    const synonyms = this.#tables.synonyms.get(term) ?? [];
    const found = [term, ...synonyms].map((word, index) => ({
      places: this.#placesOf(word),
      factor: index === 0 ? 1 : synonymWeight,
    }));
    if (found.some(({ places }) => places.length > 0)) return found;
    const correction = this.#correct(term);
    return correction === undefined
      ? found
      : [...found, { places: this.#placesOf(correction), factor: correctionWeight }];
  }

  /** The nearest word of any tool name for a word that no tool uses. */
  #correct(term: string): string | undefined {
    if (term.length < minCorrectedLength) return undefined;
    return nearestOf(term, this.#nameTerms.get(term[0] ?? "") ?? [], 1)[0];
  }

  #nameShare(document: number, wanted: ReadonlySet<string>): number {
    const name = this.#names[document];
    if (name === undefined || name.size === 0) return 0;
    let shared = 0;
    for (const term of name) if (wanted.has(term)) shared++;
    return shared / name.size;
  }
}

type WordPlace = { readonly offset: number; readonly posting: Posting };

type IndexParts = {
  readonly weights: Float64Array;
  readonly names: readonly ReadonlySet<string>[];
  readonly nameTerms: ReadonlyMap<string, ReadonlySet<string>>;
};

/** Putting a tool in its place costs a hundredth of indexing it. */
const assembledPerStep = 16;

function averageLengths(segments: readonly Segment[], size: number): number[] {
  const sums = searchFields.map(() => 0);
  for (const { lengths } of segments)
    for (let at = 0; at < lengths.length; at++) {
      const field = at % sums.length;
      sums[field] = (sums[field] ?? 0) + (lengths[at] ?? 0);
    }
  return sums.map((sum) => sum / Math.max(1, size));
}

function addByLetter(terms: Map<string, Set<string>>, term: string): void {
  const letter = term[0] ?? "";
  const known = terms.get(letter);
  if (known === undefined) terms.set(letter, new Set([term]));
  else known.add(term);
}
