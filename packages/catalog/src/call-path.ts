import type { McpMember, McpServer } from "./mcp-servers.ts";

/** The expression that calls a member of an MCP server, such as `MCP.github.createIssue`. Guest names are always identifiers. */
export function mcpCallPath(server: McpServer, member: McpMember | string): string {
  return `MCP.${server.guestName}.${typeof member === "string" ? member : member.name}`;
}

/** The expression that calls a native tool: its convenience function, else `tools.call("<id>", input)` (GUEST-9). */
export function nativeCallPath(id: string, safeName: string | undefined): string {
  return safeName === undefined ? `tools.call(${JSON.stringify(id)}, input)` : `tools.${safeName}`;
}
