import type { CodeModeTool } from "@code-mode/contract";
import { isKnownGroup, toolGroups } from "./tool-groups.ts";
import { toolId } from "./tool-id.ts";

/** The plugin id that all tools of MCP servers belong to (POL-2); no plugin can have it. */
export const mcpPluginId = "bundle-mcp";

/** True if a rule (name, id, glob, group or `bundle-mcp`) means this tool (POL-1, POL-2). */
export function matchesRule(tool: CodeModeTool, rule: string): boolean {
  if (rule === mcpPluginId && tool.origin?.kind === "mcp") return true;
  if (rule.startsWith("group:")) return isKnownGroup(rule) && toolGroups[rule]?.(tool) === true;
  const id = toolId(tool);
  if (!rule.includes("*")) return rule === tool.name || rule === id;
  return matchesGlob(id, rule) || matchesGlob(tool.name, rule);
}

/** `*` stands for any run of characters. Greedy with one step back: linear for rules that people write. */
function matchesGlob(text: string, glob: string): boolean {
  const [head = "", ...rest] = glob.split("*");
  const tail = rest.pop() ?? "";
  if (!text.startsWith(head) || text.length < head.length + tail.length || !text.endsWith(tail)) return false;
  let from = head.length;
  for (const part of rest) {
    const at = text.indexOf(part, from);
    if (at === -1 || at + part.length > text.length - tail.length) return false;
    from = at + part.length;
  }
  return true;
}
