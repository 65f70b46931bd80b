import type { CatalogTool } from "@code-mode/contract";
import { reservedToolNames } from "./reserved-names.ts";

/** The convenience name of a tool name: other characters become `_`, a leading digit gets `_` in front (GUEST-4). */
export function safeToolName(name: string): string {
  const safe = name.replace(/[^A-Za-z0-9_$]/gu, "_");
  return /^[0-9]/.test(safe) ? `_${safe}` : safe;
}

/**
 * Safe name → id of every convenience function. Two tools with one safe name get none, nor does a reserved name:
 * ambiguity is never resolved by a silent choice.
 * @param tools native tools only; MCP tools never collide with them
 */
export function assignSafeNames(tools: Iterable<CatalogTool>): Map<string, string> {
  const owners = new Map<string, string | undefined>();
  for (const { entry } of tools) {
    const safe = safeToolName(entry.name);
    owners.set(safe, owners.has(safe) ? undefined : entry.id);
  }
  const names = new Map<string, string>();
  for (const [safe, id] of owners)
    if (id !== undefined && safe !== "" && !reservedToolNames.has(safe)) names.set(safe, id);
  return names;
}
