import type { ModelTool } from "@code-mode/contract";

type Texts = Pick<ModelTool, "description" | "inputSchema">;

const id = { type: "string", description: "id of a tool, as tool_search gives it." };

/** Descriptions and input schemas of the controls; flat, because some providers refuse combinators. */
export const toolSearchSchemas: Readonly<Record<"tool_search" | "tool_describe" | "tool_call", Texts>> = {
  tool_search: {
    description:
      "Finds tools by words. Returns {tools: [{id, name, description, input}], of}; `of` is how many tools there are. Call one with tool_call.",
    inputSchema: {
      type: "object",
      properties: {
        query: { type: "string", description: "What the tool should do, in a few words." },
        limit: { type: "number", description: "Most tools to return." },
      },
      required: ["query"],
    },
  },
  tool_describe: {
    description: "Shows one tool with the full JSON Schemas of its input and output.",
    inputSchema: { type: "object", properties: { id }, required: ["id"] },
  },
  tool_call: {
    description: "Calls one tool and returns its result, or {error} when it failed.",
    inputSchema: {
      type: "object",
      properties: { id, input: { type: "object", description: "Input of the tool, as its schema says." } },
      required: ["id"],
    },
  },
};
