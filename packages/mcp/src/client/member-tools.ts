import type { JsonSchema, ToolOrigin } from "@code-mode/contract";

type Member = NonNullable<Extract<ToolOrigin, { kind: "mcp" }>["member"]>;

/** A tool that stands for a method of the protocol (MCP-4). */
export type MemberTool = {
  readonly member: Exclude<Member, "tool">;
  readonly capability: "resources" | "prompts";
  readonly method: string;
  readonly description: string;
  readonly parameters: JsonSchema;
  /** Set for lists: the key of the items; all pages are read. */
  readonly listKey?: string;
};

const noInput: JsonSchema = { type: "object", properties: {}, additionalProperties: false };

/** The tools that a server with resources or prompts additionally has. */
export const memberTools: readonly MemberTool[] = [
  {
    member: "resources.read",
    capability: "resources",
    method: "resources/read",
    description: "Reads one resource by its URI.",
    parameters: {
      type: "object",
      properties: { uri: { type: "string", description: "URI from resources.list or made from a template" } },
      required: ["uri"],
      additionalProperties: false,
    },
  },
  {
    member: "resources.list",
    capability: "resources",
    method: "resources/list",
    description: "Lists all resources.",
    parameters: noInput,
    listKey: "resources",
  },
  {
    member: "resources.templates",
    capability: "resources",
    method: "resources/templates/list",
    description: "Lists the URI templates of resources.",
    parameters: noInput,
    listKey: "resourceTemplates",
  },
  {
    member: "prompts.get",
    capability: "prompts",
    method: "prompts/get",
    description: "Returns the messages of one prompt.",
    parameters: {
      type: "object",
      properties: {
        name: { type: "string", description: "name from prompts.list" },
        arguments: {
          type: "object",
          additionalProperties: { type: "string" },
          description: "values of the prompt's arguments",
        },
      },
      required: ["name"],
      additionalProperties: false,
    },
  },
  {
    member: "prompts.list",
    capability: "prompts",
    method: "prompts/list",
    description: "Lists all prompts and their arguments.",
    parameters: noInput,
    listKey: "prompts",
  },
];
