import type { CodeModeTool, JsonSchema } from "@code-mode/contract";

type Facts = Partial<Omit<CodeModeTool, "name" | "origin" | "execute">>;

const execute = (): null => null;

/** A core tool. */
export function coreTool(name: string, facts: Facts = {}): CodeModeTool {
  return { name, description: `Core tool ${name}`, execute, ...facts };
}

/** A plugin tool; external unless told otherwise. */
export function pluginTool(pluginId: string, name: string, facts: Facts & { bundled?: boolean } = {}): CodeModeTool {
  const { bundled = false, ...rest } = facts;
  return { name, description: `Plugin tool ${name}`, execute, origin: { kind: "plugin", pluginId, bundled }, ...rest };
}

/** A tool of an MCP server. */
export function mcpTool(server: string, name: string, facts: Facts = {}): CodeModeTool {
  return { name, description: `MCP tool ${name}`, execute, origin: { kind: "mcp", server }, ...facts };
}

/** A special member of an MCP server, such as `resources.read`. */
export function mcpSpecial(
  server: string,
  member: "resources.read" | "resources.list" | "resources.templates" | "prompts.get" | "prompts.list",
): CodeModeTool {
  return { name: member, description: `MCP member ${member}`, execute, origin: { kind: "mcp", server, member } };
}

/** A tool of the calling client. */
export function clientTool(name: string, facts: Facts = {}): CodeModeTool {
  return { name, description: `Client tool ${name}`, execute, origin: { kind: "client" }, ...facts };
}

/** The schema of an object with these properties, all required. */
export function objectSchema(properties: { readonly [name: string]: JsonSchema }): JsonSchema {
  return { type: "object", properties, required: Object.keys(properties) };
}
