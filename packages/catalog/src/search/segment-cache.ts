import type { CatalogTool, CodeModeTool } from "@code-mode/contract";
import type { Segment } from "./segment.ts";

/** Tools of one owner in catalog order: what is indexed together, and again when one of them changes. */
export type ToolGroup = readonly CatalogTool[];

/** Lists of one owner that are kept; agents with different rules see different lists. */
const maxVariants = 4;

/** Segments by the tool objects that they were made of. They go when the tools go. */
export class SegmentCache {
  readonly #variants = new WeakMap<CodeModeTool, readonly { readonly tools: ToolGroup; readonly segment: Segment }[]>();

  get(tools: ToolGroup): Segment | undefined {
    return this.#of(tools).find((variant) => isSame(variant.tools, tools))?.segment;
  }

  set(tools: ToolGroup, segment: Segment): void {
    const [first] = tools;
    if (first === undefined) return;
    this.#variants.set(first.tool, [{ tools, segment }, ...this.#of(tools)].slice(0, maxVariants));
  }

  #of([first]: ToolGroup) {
    return (first === undefined ? undefined : this.#variants.get(first.tool)) ?? [];
  }
}

/** Cuts tools in catalog order where the owner changes. */
export function groupByOwner(tools: readonly CatalogTool[]): ToolGroup[] {
  const groups: CatalogTool[][] = [];
  let owner: string | undefined;
  for (const tool of tools) {
    const its = `${tool.entry.source}:${tool.entry.sourceName ?? ""}`;
    if (its !== owner) groups.push([]);
    owner = its;
    groups.at(-1)?.push(tool);
  }
  return groups;
}

function isSame(one: ToolGroup, other: ToolGroup): boolean {
  return one.length === other.length && one.every(({ tool }, index) => tool === other[index]?.tool);
}
