import type { CodeMode, CodeModeTool, ToolSet } from "@code-mode/contract";
import { createCodeMode } from "@code-mode/runtime";
import type { CaseCodeModeOptions, CaseMcp } from "@code-mode/testkit";

/** The product as the cases run it: the runtime with scripted ports and the MCP client, without a gateway. */
export function createCaseCodeMode({ tools, mcp, ...options }: CaseCodeModeOptions): CodeMode | Promise<CodeMode> {
  return createCodeMode({ ...options, tools: mcp === undefined ? tools : joinTools(tools, mcp) });
}

/** The same object while the servers say the same: it stands for one catalog. */
function joinTools(own: readonly CodeModeTool[], mcp: CaseMcp): () => ToolSet {
  let [seen, joined] = [mcp.toolSet(), undefined as ToolSet | undefined];
  return () => {
    const now = mcp.toolSet();
    if (joined === undefined || now !== seen) joined = { ...now, tools: [...own, ...now.tools] };
    seen = now;
    return joined;
  };
}
