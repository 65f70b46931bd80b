import type { ToolSet } from "@code-mode/contract";
import { cataloguedTools } from "./catalogued-tools.ts";
import { fullServerFile } from "./declarations/server-file.ts";
import { groupMcpServers } from "./mcp-servers.ts";

/** A declaration file to write somewhere. */
export type DeclarationFile = { readonly path: string; readonly server: string; readonly text: string };

/**
 * The complete declaration file of every MCP server of a tool set, also of those that `API.read` serves tool by tool
 * because a model should not read them whole.
 */
export function mcpDeclarations(toolSet: ToolSet): DeclarationFile[] {
  const servers = groupMcpServers(cataloguedTools(toolSet.tools), toolSet.mcpServers ?? []);
  return servers.map((server) => ({
    path: server.file,
    server: server.name,
    text: fullServerFile(server, Number.POSITIVE_INFINITY) ?? "",
  }));
}
