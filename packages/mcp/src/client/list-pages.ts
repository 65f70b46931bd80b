import { mcpLimits } from "./mcp-limits.ts";
import type { RawResult } from "./mcp-link.ts";

/** All items of a list and, when it was cut, why. */
export type Pages = { readonly items: readonly unknown[]; readonly problem?: string };

/** Walks a paginated list to its end, unchecked; a list that never ends is cut and says so. */
export async function listPages(key: string, readPage: (params: RawResult) => Promise<RawResult>): Promise<Pages> {
  const items: unknown[] = [];
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < mcpLimits.maxListPages; page += 1) {
    const result = await readPage(cursor === undefined ? {} : { cursor });
    const found = result[key];
    if (!Array.isArray(found)) return { items, problem: `page ${page + 1} of its list has no "${key}" array` };
    for (const item of found) items.push(item);
    if (items.length > mcpLimits.maxListItems) break;
    const next = result.nextCursor;
    if (typeof next !== "string" || next === "") return { items };
    if (cursors.has(next)) return { items, problem: "its list repeats a page for ever; it was cut there" };
    cursors.add(next);
    cursor = next;
  }
  const kept = items.slice(0, mcpLimits.maxListItems);
  return { items: kept, problem: `its list does not end after ${kept.length} items; the rest was left out` };
}
