import type { McpServer } from "../mcp-servers.ts";
import { docText } from "./doc-text.ts";

const searchSignature =
  "declare namespace MCP { const $search: (query: string, options?: { limit?: number }) => Promise<{ path: string; name: string; description: string; server?: string; file?: string; input?: string }[]>; }\n";

const noServers =
  "// This run has no MCP servers, so MCP has no members. Other tools: ALL_TOOLS, or await tools.search(query).\n";

/** `mcp/index.d.ts`: one line per server, with the reason where one is not ready. */
export function indexFile(servers: readonly McpServer[]): string {
  if (servers.length === 0) return noServers;
  const head =
    "// MCP servers. Read a file with await API.read(path); find tools with await API.search(query) or await MCP.$search(query).\n";
  return `${head}${servers.map(serverLine).join("")}${searchSignature}`;
}

/** The file of a server that has nothing to call: guests do not find it under `MCP`. */
export function emptyServerFile(server: McpServer): string {
  const note = stateNote(server);
  const why = note === undefined ? "" : ` (${note})`;
  return `// The MCP server ${docText(server.name, 80)} offers no tools now${why}, so MCP.${server.guestName} is not there. Servers that are: await API.list("mcp").\n`;
}

/** Why a server is not ready, in one inert line; nothing when it is. */
export function stateNote({ state }: McpServer): string | undefined {
  if (state === undefined || state.state === "ready") return undefined;
  const word = { starting: "starting", failed: "failed", needs_login: "needs login" }[state.state];
  const note = docText(state.note, 200);
  return note === "" ? word : `${word}: ${note}`;
}

function serverLine(server: McpServer): string {
  const note = stateNote(server);
  const name = docText(server.name, 80);
  const original = name === server.guestName ? "" : ` (${name})`;
  return `// ${server.file}: MCP.${server.guestName}${original}, ${countOf(server.members.length)}${note === undefined ? "" : `; ${note}`}\n`;
}

function countOf(tools: number): string {
  return tools === 1 ? "1 tool" : `${tools} tools`;
}
