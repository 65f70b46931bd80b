import type { CodeModeTool } from "@code-mode/contract";

/** Core tools that only read; no other core tool may run in a replayable cell (EXEC-11). */
const replaySafeCoreTools: ReadonlySet<string> = new Set(["read", "ls", "find", "grep", "session_status"]);

/**
 * Whether a call of this tool may be repeated after a restart. `replaySafe` of an MCP tool counts because only host
 * configuration sets it; annotations that a server claims about itself never reach that field.
 */
export function isReplaySafe(tool: CodeModeTool): boolean {
  switch (tool.origin?.kind) {
    case undefined:
    case "core":
      return replaySafeCoreTools.has(tool.name) && tool.replaySafe !== false;
    case "plugin":
    case "mcp":
      return tool.replaySafe === true;
    default:
      return false;
  }
}
