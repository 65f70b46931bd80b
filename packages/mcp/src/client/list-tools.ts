import { listPages } from "./list-pages.ts";
import { mcpLimits } from "./mcp-limits.ts";
import type { McpLink } from "./mcp-link.ts";
import { type McpProblem, type ParsedTool, parseTool } from "./parse-tool.ts";

/** The tools of a server in the order of their names, and what was wrong with them. */
export type ToolList = { readonly tools: readonly ParsedTool[]; readonly problems: readonly McpProblem[] };

/** Lists all tools of a server. A defect costs at most its own tool. */
export async function listTools(link: McpLink, options: { timeoutMs: number; signal: AbortSignal }): Promise<ToolList> {
  if (!link.capabilities.tools) return { tools: [], problems: [] };
  const pages = await listPages("tools", (params) =>
    link.request("tools/list", params, { timeout: options.timeoutMs, signal: options.signal }),
  );
  const problems: McpProblem[] = pages.problem === undefined ? [] : [{ problem: pages.problem }];
  const tools = new Map<string, ParsedTool>();
  for (const item of pages.items) {
    const tool = parseTool(item, problems);
    if (tool === undefined) continue;
    if (tools.has(tool.name)) problems.push({ tool: tool.name, problem: "it is listed twice; the first one counts" });
    else tools.set(tool.name, tool);
  }
  const more = problems.splice(mcpLimits.maxProblems).length;
  if (more > 0) problems.push({ problem: `${more} more problems of its tools are not listed` });
  return { tools: [...tools.values()].sort((a, b) => (a.name < b.name ? -1 : 1)), problems };
}
