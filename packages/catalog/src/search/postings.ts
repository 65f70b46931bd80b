import type { CatalogTool } from "@code-mode/contract";
import { searchFields } from "./field-weights.ts";
import { type SearchDocument, searchDocument } from "./search-document.ts";
import { Tokenizer } from "./tokenize.ts";

/** Where a term occurs, and how much it counts there. */
export type Posting = { readonly documents: number[]; readonly weights: number[] };

/** The inverted index of a list of tools. */
export type Postings = {
  readonly terms: ReadonlyMap<string, Posting>;
  /** Distinct terms of each tool's name. */
  readonly names: readonly ReadonlySet<string>[];
};

type TermLists = readonly (readonly string[])[];

/**
 * Indexes the tools in linear time.
 * @param stop terms that count in names only, where they may be all there is
 */
export function buildPostings(tools: readonly CatalogTool[], stop: ReadonlySet<string>): Postings {
  const tokenizer = new Tokenizer();
  const documents = tools.map((tool) => termLists(searchDocument(tool), tokenizer, stop));
  const averages = searchFields.map(
    (_, field) =>
      documents.reduce((sum, lists) => sum + (lists[field]?.length ?? 0), 0) / Math.max(1, documents.length),
  );
  const terms = new Map<string, Posting>();
  documents.forEach((lists, document) => {
    for (const [term, weight] of documentWeights(lists, averages)) addTo(terms, term, document, weight);
  });
  return { terms, names: documents.map((lists) => new Set(lists[0])) };
}

function termLists(texts: SearchDocument, tokenizer: Tokenizer, stop: ReadonlySet<string>): TermLists {
  return searchFields.map(({ key }) => {
    const terms = tokenizer.terms(texts[key]);
    return key === "name" ? terms : terms.filter((term) => !stop.has(term));
  });
}

function documentWeights(lists: TermLists, averages: readonly number[]): Map<string, number> {
  const weights = new Map<string, number>();
  searchFields.forEach(({ weight, lengthPenalty }, field) => {
    const terms = lists[field] ?? [];
    const norm = 1 - lengthPenalty + (lengthPenalty * terms.length) / Math.max(1, averages[field] ?? 1);
    for (const term of terms) weights.set(term, (weights.get(term) ?? 0) + weight / norm);
  });
  return weights;
}

function addTo(terms: Map<string, Posting>, term: string, document: number, weight: number): void {
  const posting = terms.get(term);
  if (posting === undefined) {
    terms.set(term, { documents: [document], weights: [weight] });
    return;
  }
  posting.documents.push(document);
  posting.weights.push(weight);
}
