import type { CodeModeTool, JsonObject } from "@code-mode/contract";

const integer = { type: "integer" } as const;

/** Adds two integers at once; what calls cost is measured with it. */
export const addTool: CodeModeTool = {
  name: "add",
  description: "Adds two integers.",
  parameters: {
    type: "object",
    properties: { a: integer, b: integer },
    required: ["a", "b"],
    additionalProperties: false,
  },
  outputSchema: { type: "object", properties: { sum: integer }, required: ["sum"] },
  execute: (input) => add(input as { a: number; b: number }),
};

/** Needs a human each time. */
export const publishTool: CodeModeTool = {
  name: "publish",
  description: "Publishes a draft.",
  parameters: { type: "object", properties: { draft: { type: "string" } }, required: ["draft"] },
  approval: "always",
  execute: (input) => publish(input as { draft: string }),
};

/** The work of `add`, shared by both engines. */
export function add({ a, b }: { a: number; b: number }): JsonObject {
  return { sum: a + b };
}

/** The work of `publish`, shared by both engines. */
export function publish({ draft }: { draft: string }): JsonObject {
  return { published: draft };
}
