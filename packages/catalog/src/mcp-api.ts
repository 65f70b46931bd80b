import { CodeModeError, type JsonSchema, type McpApiHeader } from "@code-mode/contract";
import { cutText, docText } from "./declarations/doc-text.ts";
import { toolFile } from "./declarations/server-file.ts";
import { toolDeclaration } from "./declarations/tool-declaration.ts";
import { compactInputHint } from "./input-hint.ts";
import type { McpMember, McpServer } from "./mcp-servers.ts";
import { nearestOf, suggestion } from "./nearest-names.ts";
import { toolFilePath, type VirtualFiles } from "./virtual-files.ts";

/** Which part of a server's header is wanted. */
export type McpApiRequest = {
  readonly server: string;
  readonly toolName?: string | undefined;
  readonly schema?: boolean | undefined;
};

/**
 * The header of a server or of one of its tools (MCP-3). Names may be written in guest or original spelling.
 * @throws CodeModeError `tool_error` for a server or tool that is not there
 */
export function mcpApiHeader(request: McpApiRequest, servers: readonly McpServer[], files: VirtualFiles): McpApiHeader {
  const server = findServer(request.server, servers);
  if (request.toolName === undefined) {
    const line = files.isIndexed(server) ? signature : fullDeclaration;
    return {
      server: server.name,
      file: server.file,
      text: files.serverText(server),
      tools: server.members.map((member) => toolRow(member, line, request.schema)),
    };
  }
  const member = findMember(request.toolName, server);
  return {
    server: server.name,
    file: toolFilePath(server, member),
    text: toolFile(server, member),
    tools: [toolRow(member, fullDeclaration, request.schema)],
  };
}

function toolRow(
  member: McpMember,
  declare: (member: McpMember) => string,
  withSchema = false,
): McpApiHeader["tools"][number] {
  const { name, originalName, tool } = member;
  const schema: JsonSchema = tool.tool.parameters ?? { type: "object" };
  return { name, originalName, declaration: declare(member), ...(withSchema ? { schema } : {}) };
}

function fullDeclaration(member: McpMember): string {
  const { text, aliases } = toolDeclaration(member);
  return [...aliases.map(({ name, text: type }) => `type ${name} = ${type};\n`), text].join("").trim();
}

/** A server with hundreds of tools shows one line of each. */
function signature(member: McpMember): string {
  return `${member.name}(input: ${compactInputHint(member.tool.tool.parameters)}): Promise<McpToolResult>;`;
}

function findServer(name: string, servers: readonly McpServer[]): McpServer {
  const server =
    servers.find(({ guestName }) => guestName === name) ?? servers.find((candidate) => candidate.name === name);
  if (server !== undefined) return server;
  const near = nearestOf(
    name,
    servers.map(({ guestName }) => guestName),
  );
  throw new CodeModeError(
    "tool_error",
    `there is no MCP server ${quote(name)}.${suggestion(near)} List the servers with API.list("mcp").`,
    { details: { nearest: near } },
  );
}

function findMember(name: unknown, server: McpServer): McpMember {
  const member = typeof name === "string" ? server.byName.get(name) : undefined;
  if (member !== undefined) return member;
  const near = nearestOf(
    String(name),
    server.members.map((known) => known.name),
  );
  throw new CodeModeError(
    "tool_error",
    `the MCP server ${quote(server.name)} has no tool ${quote(String(name))}.${suggestion(near)} MCP.${server.guestName}.$api() lists its tools.`,
    { details: { nearest: near } },
  );
}

function quote(name: string): string {
  return JSON.stringify(cutText(docText(name, 200), 120));
}
