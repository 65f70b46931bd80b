import { type CatalogTool, CodeModeError, type McpServerState } from "@code-mode/contract";
import { assignMemberNames } from "./member-names.ts";

/** A tool of an MCP server with the name under which guests call it. */
export type McpMember = { readonly name: string; readonly originalName: string; readonly tool: CatalogTool };

/** An MCP server as guests reach it. */
export type McpServer = {
  /** Its configured name. */
  readonly name: string;
  readonly guestName: string;
  /** Path of its declaration file. */
  readonly file: string;
  /** In catalog-id order. */
  readonly members: readonly McpMember[];
  /** Members by guest name and by original name. */
  readonly byName: ReadonlyMap<string, McpMember>;
  /** `resources.read`, `prompts.get`, …, in catalog-id order. */
  readonly special: ReadonlyMap<string, CatalogTool>;
  readonly state?: McpServerState;
};

/**
 * Groups MCP tools by server, sorted by server name. Servers that have a state but no tools are listed too: a guest that
 * misses them must be able to learn why.
 */
export function groupMcpServers(tools: readonly CatalogTool[], states: readonly McpServerState[]): McpServer[] {
  const toolsOf = new Map<string, CatalogTool[]>(states.map((state) => [state.name, []]));
  for (const tool of tools) {
    const server = serverOf(tool);
    if (server === undefined) continue;
    const list = toolsOf.get(server);
    if (list === undefined) toolsOf.set(server, [tool]);
    else list.push(tool);
  }
  const stateOf = new Map(states.map((state) => [state.name, state]));
  const names = [...toolsOf.keys()].sort();
  const guestNames = assignMemberNames(names);
  return names.map((name) => toServer(name, guestNames.get(name) ?? name, toolsOf.get(name) ?? [], stateOf.get(name)));
}

/** Name of the server a tool belongs to, if it is an MCP tool. */
function serverOf({ tool }: CatalogTool): string | undefined {
  return tool.origin?.kind === "mcp" ? tool.origin.server : undefined;
}

/** The special member an MCP tool stands for, if it is not an ordinary tool of its server. */
function specialMemberOf({ tool }: CatalogTool): string | undefined {
  const member = tool.origin?.kind === "mcp" ? tool.origin.member : undefined;
  return member === "tool" ? undefined : member;
}

function toServer(
  name: string,
  guestName: string,
  tools: readonly CatalogTool[],
  state: McpServerState | undefined,
): McpServer {
  const ordinary = tools.filter((tool) => specialMemberOf(tool) === undefined);
  const memberNames = assignMemberNames(ordinary.map(({ entry }) => entry.name));
  const members = ordinary.map((tool) => ({
    name: memberNames.get(tool.entry.name) ?? tool.entry.name,
    originalName: tool.entry.name,
    tool,
  }));
  // guest names last: where one equals the original name of another tool, `assignMemberNames` has already made way
  const byName = new Map([
    ...members.map((member) => [member.originalName, member] as const),
    ...members.map((member) => [member.name, member] as const),
  ]);
  return {
    name,
    guestName,
    file: serverFilePath(guestName),
    members,
    byName,
    special: specialMembers(name, tools),
    ...(state === undefined ? {} : { state }),
  };
}

/** `mcp/index.d.ts` is the list of all servers, so a server of that name moves aside; no guest name ends in a lone `_` otherwise. */
function serverFilePath(guestName: string): string {
  return `mcp/${guestName === "index" ? "index_" : guestName}.d.ts`;
}

function specialMembers(server: string, tools: readonly CatalogTool[]): Map<string, CatalogTool> {
  const special = new Map<string, CatalogTool>();
  for (const tool of tools) {
    const member = specialMemberOf(tool);
    if (member === undefined) continue;
    const other = special.get(member);
    if (other !== undefined)
      throw new CodeModeError(
        "invalid_input",
        `two tools of the MCP server ${JSON.stringify(server)} stand for ${member}: ${other.entry.id} and ${tool.entry.id}. Keep one.`,
      );
    special.set(member, tool);
  }
  return special;
}
