import type { JsonObject, ModelTool } from "@code-mode/contract";

/** What a provider needs to know of a tool. */
export type WireTool = Pick<ModelTool, "name" | "description" | "inputSchema"> & Partial<Pick<ModelTool, "kind">>;

/** `tools` of an OpenAI Chat Completions request; also of every compatible server. */
export function toOpenAiChatTools(tools: readonly WireTool[]): JsonObject[] {
  return tools.map(({ name, description, inputSchema }) => ({
    type: "function",
    function: { name, description, parameters: inputSchema },
  }));
}

/** `tools` of an OpenAI Responses request. Not strict: that mode would make every optional key required. */
export function toOpenAiResponsesTools(tools: readonly WireTool[]): JsonObject[] {
  return tools.map(({ name, description, inputSchema }) => ({
    type: "function",
    name,
    description,
    parameters: inputSchema,
    strict: false,
  }));
}

/** `tools` of an Anthropic Messages request. */
export function toAnthropicTools(tools: readonly WireTool[]): JsonObject[] {
  return tools.map(({ name, description, inputSchema }) => ({ name, description, input_schema: inputSchema }));
}

/**
 * `tools` of a Gemini request: one entry that holds all functions. The flat schemas of controls go into `parameters`,
 * which every version of the API takes; those of other tools need the key for full JSON Schema.
 */
export function toGeminiTools(tools: readonly WireTool[]): JsonObject[] {
  if (tools.length === 0) return [];
  const functionDeclarations = tools.map(({ name, description, inputSchema, kind }) => ({
    name,
    description,
    [kind === "direct" ? "parametersJsonSchema" : "parameters"]: inputSchema,
  }));
  return [{ functionDeclarations }];
}
