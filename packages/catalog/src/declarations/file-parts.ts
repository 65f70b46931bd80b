import type { McpServer } from "../mcp-servers.ts";

/** What every MCP call resolves to (MCP-2). */
export const mcpToolResultType =
  "type McpToolResult<T = unknown> = { content?: unknown[]; structuredContent?: T; isError?: boolean; /** structuredContent, else parsed JSON text, else text */ readonly data?: T; [key: string]: unknown };";

/** What `$api` resolves to (MCP-3). */
export const mcpApiHeaderType =
  "type McpApiHeader = { server: string; file: string; text: string; tools: { name: string; originalName: string; declaration: string; schema?: unknown }[] };";

/** A tool in an index, which shows no parameters. */
export const mcpToolType = "type McpTool = (input?: Record<string, unknown>) => Promise<McpToolResult>;";

/** Words that cannot name a `const`. */
const reservedWords: ReadonlySet<string> = new Set(
  "arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof var void while with yield".split(
    " ",
  ),
);

/** Puts a server interface under `MCP`. A reserved word is exported under its name, which hides nothing: the block holds nothing else. */
export function namespaceBlock(guestName: string, interfaceName: string): string {
  if (!reservedWords.has(guestName)) return `declare namespace MCP { const ${guestName}: ${interfaceName}; }\n`;
  return `declare namespace MCP { const ${guestName}_: ${interfaceName}; export { ${guestName}_ as ${guestName} }; }\n`;
}

const specialSignatures: Readonly<Record<string, string>> = {
  "resources.read": "read(input: { uri: string }): Promise<McpToolResult>;",
  "resources.list": "list(input?: { cursor?: string }): Promise<McpToolResult>;",
  "resources.templates": "templates(input?: { cursor?: string }): Promise<McpToolResult>;",
  "prompts.get": "get(input: { name: string; arguments?: Record<string, string> }): Promise<McpToolResult>;",
  "prompts.list": "list(input?: { cursor?: string }): Promise<McpToolResult>;",
};

/** The members `resources` and `prompts` of a server interface, for what the server offers (MCP-4). */
export function specialMembers(server: McpServer): string {
  return ["resources", "prompts"]
    .map((group) => ({ group, paths: [...server.special.keys()].filter((path) => path.startsWith(`${group}.`)) }))
    .filter(({ paths }) => paths.length > 0)
    .map(({ group, paths }) => `  ${group}: { ${paths.map((path) => specialSignatures[path] ?? "").join(" ")} };\n`)
    .join("");
}
