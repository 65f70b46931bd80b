import { type JsonObject, type ModelTool, messageOf } from "@code-mode/contract";
import type { CallToolResult } from "@modelcontextprotocol/server";

/** How the value of a model tool goes to an MCP client (MCPS-1). */
export function buildToolAnswer(tool: ModelTool, value: unknown): CallToolResult {
  if (tool.kind === "direct" && isContentResult(value)) return value as CallToolResult;
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "null");
  return {
    content: [{ type: "text", text }],
    ...(isObject(value) && { structuredContent: value }),
    ...(isObject(value) && tool.kind === "control" && { isError: value.status === "failed" }),
  };
}

/** A tool that throws is an answer the model can act on, not a protocol error. */
export function buildErrorAnswer(tool: ModelTool, error: unknown): CallToolResult {
  return { content: [{ type: "text", text: `"${tool.name}" failed: ${messageOf(error)}` }], isError: true };
}

/** A direct-only tool may answer with images: then its content is passed on as it is. */
function isContentResult(value: unknown): boolean {
  if (!isObject(value)) return false;
  const content = value.content;
  return Array.isArray(content) && content.length > 0 && content.every(isContentItem);
}

function isContentItem(item: unknown): boolean {
  if (!isObject(item)) return false;
  if (item.type === "text") return typeof item.text === "string";
  if (item.type === "image" || item.type === "audio")
    return typeof item.data === "string" && typeof item.mimeType === "string";
  return item.type === "resource" || item.type === "resource_link";
}

function isObject(value: unknown): value is Record<string, JsonObject[string]> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
