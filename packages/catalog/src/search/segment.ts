import type { CatalogTool } from "@code-mode/contract";
import { searchFields } from "./field-weights.ts";
import { searchDocument } from "./search-document.ts";
import type { Tokenizer } from "./tokenize.ts";

/** Where a term occurs in a segment. */
export type Posting = {
  /** Tools that have the term. */
  documents: number;
  /** Position of the tool, field and number of occurrences, in turn. */
  readonly entries: number[];
};

/** The part of an index that holds the tools of one server, plugin or client; it depends on nothing else. */
export type Segment = {
  readonly size: number;
  readonly terms: ReadonlyMap<string, Posting>;
  /** Terms of each field of each tool. */
  readonly lengths: Uint32Array;
  /** Distinct terms of each tool's name. */
  readonly names: readonly ReadonlySet<string>[];
};

/** What all segments of an engine are made with. */
export type SegmentParts = {
  readonly tokenizer: Tokenizer;
  /** Terms that count in names only, where they may be all there is. */
  readonly stop: ReadonlySet<string>;
};

/** Indexes tools, one per step. */
export function* buildSegment(
  tools: readonly CatalogTool[],
  { tokenizer, stop }: SegmentParts,
): Generator<undefined, Segment> {
  const terms = new Map<string, Posting>();
  const names: ReadonlySet<string>[] = [];
  const lengths = new Uint32Array(tools.length * searchFields.length);
  for (const [document, tool] of tools.entries()) {
    const texts = searchDocument(tool);
    const seen = new Set<string>();
    for (const [field, { key }] of searchFields.entries()) {
      const found = tokenizer.terms(texts[key]);
      const counted = key === "name" ? found : found.filter((term) => !stop.has(term));
      lengths[document * searchFields.length + field] = counted.length;
      if (key === "name") names.push(new Set(counted));
      for (const [term, count] of countOf(counted)) addTo(terms, term, { document, field, count, seen });
    }
    yield;
  }
  return { size: tools.length, terms, lengths, names };
}

function countOf(terms: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

type Occurrence = {
  readonly document: number;
  readonly field: number;
  readonly count: number;
  /** Terms that this tool had in an earlier field. */
  readonly seen: Set<string>;
};

function addTo(terms: Map<string, Posting>, term: string, { document, field, count, seen }: Occurrence): void {
  let posting = terms.get(term);
  if (posting === undefined) {
    posting = { documents: 0, entries: [] };
    terms.set(term, posting);
  }
  if (!seen.has(term)) posting.documents++;
  seen.add(term);
  posting.entries.push(document, field, count);
}
