import { type CatalogEntry, type CatalogTool, CodeModeError, type CodeModeTool } from "@code-mode/contract";
import { entryId, provenanceOf } from "./entry-id.ts";

/** Core tools that only make sense on the other compact surface (ACT-3). */
const toolSearchControls: ReadonlySet<string> = new Set([
  "tool_search_code",
  "tool_search",
  "tool_describe",
  "tool_call",
]);

/**
 * The tools that belong into a catalog, in CAT-1 order and by id within a group, so that the order in which a host
 * lists them does not matter.
 * @throws CodeModeError `invalid_input` when two tools have one id, or a plugin id is not allowed
 */
export function cataloguedTools(tools: readonly CodeModeTool[]): CatalogTool[] {
  const groups: CatalogTool[][] = [[], [], [], [], []];
  const byId = new Map<string, CodeModeTool>();
  for (const tool of tools) {
    if (!isEligible(tool)) continue;
    const { group, entry } = toEntry(tool);
    const other = byId.get(entry.id);
    if (other !== undefined) throw duplicateId(entry.id, other, tool);
    byId.set(entry.id, tool);
    groups[group]?.push(Object.freeze({ entry, tool }));
  }
  return groups.flatMap((group) => group.sort((a, b) => (a.entry.id < b.entry.id ? -1 : 1)));
}

/** Direct-only tools and controls are never catalogued (CAT-3). Code-mode controls are told by their kind, not by their name. */
function isEligible(tool: CodeModeTool): boolean {
  if (tool.catalogMode === "direct-only") return false;
  if ((tool as { kind?: unknown }).kind === "control") return false;
  return !(isCore(tool) && toolSearchControls.has(tool.name));
}

function isCore(tool: CodeModeTool): boolean {
  return tool.origin === undefined || tool.origin.kind === "core";
}

function toEntry(tool: CodeModeTool): { group: number; entry: CatalogEntry } {
  const { source, owner, sourceName, group } = provenanceOf(tool.origin ?? { kind: "core" });
  const entry: CatalogEntry = {
    id: entryId(source, owner, tool.name),
    name: tool.name,
    ...(tool.label ? { label: tool.label } : {}),
    description: tool.description ?? "",
    source,
    ...(sourceName === undefined ? {} : { sourceName }),
  };
  return { group, entry: Object.freeze(entry) };
}

function duplicateId(id: string, first: CodeModeTool, second: CodeModeTool): CodeModeError {
  return new CodeModeError(
    "invalid_input",
    `two tools have the catalog id ${JSON.stringify(id)}: ${describeTool(first)} and ${describeTool(second)}. Rename one or leave one out.`,
    { details: { id } },
  );
}

function describeTool(tool: CodeModeTool): string {
  const label = (tool.label ?? tool.description ?? "").slice(0, 60);
  return `${JSON.stringify(tool.name)} (${tool.origin?.kind ?? "core"}${label === "" ? "" : `, ${JSON.stringify(label)}`})`;
}
