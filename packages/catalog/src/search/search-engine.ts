import type { CatalogTool } from "@code-mode/contract";

/** Ranks one fixed list of tools. */
export interface ToolRanker {
  /** Positions of the `limit` tools that match best, best first; equal ones keep their order. Leaves the event loop its turns. */
  rank(query: string, limit: number): Promise<number[]>;
  /** The same at once, by whatever can be known without waiting. */
  rankNow(query: string, limit: number): number[];
}

/** How catalogs search. One engine serves many catalogs and keeps what they share. */
export interface SearchEngine {
  /**
   * A ranker for tools in catalog order. Cheap: work begins with the first query.
   * @param tools never changes
   */
  open(tools: readonly CatalogTool[]): ToolRanker;
}
