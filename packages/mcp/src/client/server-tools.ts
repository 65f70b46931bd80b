import type { CodeModeTool, JsonValue, ToolContext } from "@code-mode/contract";
import { buildGuestResult } from "./guest-result.ts";
import { listPages } from "./list-pages.ts";
import type { ToolList } from "./list-tools.ts";
import { McpError } from "./mcp-error.ts";
import type { RawResult } from "./mcp-link.ts";
import type { MediaStore } from "./media-store.ts";
import { type MemberTool, memberTools } from "./member-tools.ts";
import type { ParsedTool } from "./parse-tool.ts";
import type { ServerRequest } from "./request-with-deadline.ts";

/** Sends one request of a tool to its server; rejects with an `McpError`. */
export type CallServer = (request: Omit<ServerRequest, "server">, context: ToolContext) => Promise<RawResult>;

/** What the tools of a server are made of. */
export type ServerToolsOptions = {
  readonly server: string;
  readonly list: ToolList;
  readonly capabilities: { readonly resources: boolean; readonly prompts: boolean };
  readonly call: CallServer;
  readonly media: MediaStore;
  /** Hears of results that are not what the tool's definition promises. */
  onOddResult(tool: string, problem: string): void;
};

/** The tools of one server for the catalog: its own, then `resources.*` and `prompts.*` where it offers them. */
export function buildServerTools(options: ServerToolsOptions): readonly CodeModeTool[] {
  const own = new Set(options.list.tools.map((tool) => tool.name));
  const members = memberTools.filter((member) => options.capabilities[member.capability] && !own.has(member.member));
  return [
    ...options.list.tools.map((tool) => buildTool(tool, options)),
    ...members.map((member) => buildMember(member, options)),
  ];
}

function buildTool(tool: ParsedTool, options: ServerToolsOptions): CodeModeTool {
  const { server, call, media, onOddResult } = options;
  const wantsHeaders = JSON.stringify(tool.inputSchema).includes('"x-mcp-header"');
  const mirrored = wantsHeaders ? { mirrored: tool.inputSchema as object } : {};
  return {
    name: tool.name,
    ...(tool.label !== undefined && { label: tool.label }),
    description: tool.description,
    parameters: tool.inputSchema,
    ...(tool.outputSchema !== undefined && { outputSchema: tool.outputSchema }),
    origin: { kind: "mcp", server, member: "tool" },
    execute: async (input, context) => {
      const params = { name: tool.name, arguments: inputObject(input, server, tool.name) };
      const raw = await call({ member: tool.name, method: "tools/call", params, ...mirrored }, context);
      if (tool.outputSchema !== undefined && raw.structuredContent === undefined && raw.isError !== true)
        onOddResult(tool.name, "it has an outputSchema but answered without structuredContent; its content is used");
      return buildGuestResult(raw, media);
    },
  };
}

function buildMember(member: MemberTool, options: ServerToolsOptions): CodeModeTool {
  const { server, media } = options;
  return {
    name: member.member,
    description: member.description,
    parameters: member.parameters,
    origin: { kind: "mcp", server, member: member.member },
    execute: async (input, context) => {
      const params = inputObject(input, server, member.member);
      return buildGuestResult(await callMember(member, params, { ...options, context }), media);
    },
  };
}

async function callMember(
  member: MemberTool,
  params: RawResult,
  at: { readonly call: CallServer; readonly context: ToolContext },
): Promise<RawResult> {
  const { listKey } = member;
  const send = (page: RawResult): Promise<RawResult> =>
    at.call({ member: member.member, method: member.method, params: page }, at.context);
  if (listKey === undefined) return send(params);
  const pages = await listPages(listKey, send);
  return { [listKey]: pages.items, ...(pages.problem !== undefined && { note: pages.problem }) };
}

function inputObject(input: JsonValue | undefined, server: string, member: string): RawResult {
  if (input === undefined || input === null) return {};
  if (typeof input === "object" && !Array.isArray(input)) return input as RawResult;
  throw new McpError(
    `"${member}" of MCP server "${server}" takes one object, for example {}; it got ${Array.isArray(input) ? "an array" : `a ${typeof input}`}.`,
    { server, member },
  );
}
