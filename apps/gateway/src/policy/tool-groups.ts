import type { CodeModeTool } from "@code-mode/contract";

const fileTools: ReadonlySet<string> = new Set(["read", "write", "edit", "ls", "find", "grep"]);

function isCore(tool: CodeModeTool): boolean {
  return (tool.origin?.kind ?? "core") === "core";
}

/** The named groups that rules may use (POL-1), each with its membership test. */
export const toolGroups: Readonly<Record<string, (tool: CodeModeTool) => boolean>> = {
  "group:core": isCore,
  "group:fs": (tool) => isCore(tool) && fileTools.has(tool.name),
  "group:runtime": (tool) => isCore(tool) && tool.name === "exec",
  "group:web": (tool) => isCore(tool) && tool.name === "web_fetch",
  "group:mcp": (tool) => tool.origin?.kind === "mcp",
  "group:plugins": (tool) => tool.origin?.kind === "plugin",
};

/** True for a group that exists; own keys only, so that `group:constructor` is none. */
export function isKnownGroup(rule: string): boolean {
  return Object.hasOwn(toolGroups, rule);
}
