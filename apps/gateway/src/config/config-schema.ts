import { type CodeModeConfig, codeModeConfigSchema } from "@code-mode/contract";
import { z } from "zod";
import { isAddressRange } from "../core-tools/address-guard.ts";
import { isKnownGroup, toolGroups } from "../policy/tool-groups.ts";

const toolRule = z
  .string()
  .min(1)
  .refine((rule) => !rule.startsWith("group:") || isKnownGroup(rule), {
    error: `unknown group; groups are ${Object.keys(toolGroups).join(", ")}`,
  })
  .describe("A tool name, a catalog id, a glob such as mcp:github:*, or a group such as group:fs.");
const toolRules = z.array(toolRule);

/** The contract's schema; its numeric fields are made from a table, so that their types have to be named here. */
const codeMode = codeModeConfigSchema as z.ZodType<NonNullable<CodeModeConfig>>;

const stringMap = z.record(z.string(), z.string());

const stdioServer = {
  command: z.string().min(1).optional().describe("Program that speaks MCP on stdin and stdout."),
  args: z.array(z.string()).optional().describe("Arguments of the program."),
  env: stringMap.optional().describe("Environment variables added for the program."),
  cwd: z.string().optional().describe("Working folder of the program. Default: the folder of this file."),
};
const httpServer = {
  url: z.url().optional().describe("Address of a streamable HTTP server."),
  headers: stringMap.optional().describe("Headers of every request, for example Authorization."),
};

/** One MCP server as users write it; `type` and `disabled` come from the format of other clients. */
export const mcpServerSchema = z
  .strictObject({
    type: z.enum(["stdio", "http", "streamable-http"]).optional().describe("Found from command or url when omitted."),
    ...stdioServer,
    ...httpServer,
    timeoutMs: z.number().int().positive().optional().describe("Longest one call may take. Default 60000."),
    disabled: z.boolean().optional().describe("true keeps the entry but does not start the server."),
  })
  .refine((server) => (server.command === undefined) !== (server.url === undefined), {
    error: "expected either command (a program) or url (an HTTP server)",
  });

const model = z.strictObject({
  input: z
    .array(z.enum(["text", "image"]))
    .optional()
    .describe('What the model reads. Default ["text"]; with "image" its agents get tools that show images.'),
  maxOutputTokens: z
    .number()
    .int()
    .positive()
    .optional()
    .describe(
      "Most tokens of one reply. Default: what the provider allows, 4096 for models of Anthropic that are not known.",
    ),
  price: z
    .strictObject({ inputPerMTok: z.number().min(0), outputPerMTok: z.number().min(0) })
    .optional()
    .describe("US dollars per million tokens; with it turns show their cost."),
});

const provider = z.strictObject({
  api: z.enum(["openai-chat", "anthropic", "google", "scripted"]).describe("Protocol of the provider."),
  baseUrl: z
    .url()
    .optional()
    .describe("Address of the server, up to and with the version such as /v1. Needed for openai-chat."),
  apiKey: z.string().optional().describe("Key; write ${NAME} to take it from the environment."),
  script: z.string().optional().describe("Script file of a scripted provider."),
  toolCallIds: z
    .enum(["common", "alphanumeric9"])
    .optional()
    .describe("Form of tool call ids that the server takes. Default alphanumeric9 for models of Mistral, else common."),
  models: z.record(z.string(), model).optional().describe("What is known of single models, by the name of the model."),
});

const toolPolicy = {
  allow: toolRules.optional().describe('Tools that may be used. Default ["*"]; an empty list means none.'),
  deny: toolRules.optional().describe("Tools that may not be used; deny wins over allow."),
};

const agent = z.strictObject({
  model: z.string().optional().describe("provider/model. Default: models.default."),
  instructions: z.string().optional().describe("System prompt of the agent."),
  maxTurns: z.number().int().min(1).max(1000).optional().describe("Most model requests in one turn. Default 32."),
  sandbox: z
    .strictObject({
      mode: z
        .enum(["off", "non-main", "all"])
        .optional()
        .describe(
          "Sessions whose tools tools.sandbox.tools filters again. non-main spares session main of agent main and codemode exec. Default off.",
        ),
    })
    .optional(),
  tools: z.strictObject({ ...toolPolicy, codeMode: codeMode.optional() }).optional(),
});

const policyTable = z.record(z.string(), z.strictObject(toolPolicy)).optional();
const sandboxTools = z.strictObject({
  allow: toolRules
    .optional()
    .describe("Tools of sandboxed sessions. Default core and plugin tools, not those of MCP servers."),
  alsoAllow: toolRules.optional().describe("Tools admitted beside allow, for example bundle-mcp for all MCP servers."),
  deny: toolRules.optional().describe("Tools that sandboxed sessions may not use."),
});
const toolSearch = z.union([
  z.boolean(),
  z.strictObject({
    enabled: z.boolean().optional().describe("Default true."),
    maxResults: z.number().int().min(1).max(100).optional().describe("Most tools that one search shows. Default 20."),
  }),
]);

const addressRange = z
  .string()
  .refine(isAddressRange, { error: "expected an IP address or a range such as 10.0.0.0/8" });

const approvalMode = z.enum(["never", "always"]);

/** The whole configuration file (CONF-1); unknown keys are refused everywhere. */
export const gatewayConfigSchema = z.strictObject({
  $schema: z.string().optional(),
  gateway: z
    .strictObject({
      host: z.string().min(1).optional().describe("Address to listen on. Default 127.0.0.1."),
      allowedHosts: z
        .array(z.string().min(1))
        .optional()
        .describe("Names under which clients reach the gateway beside its address, for example behind a proxy."),
      port: z.number().int().min(0).max(65_535).optional().describe("Port; 0 takes a free one. Default 18790."),
      dataDir: z.string().optional().describe("Folder of the gateway's own data. Default ./.codemode."),
      auth: z.strictObject({ token: z.string().min(1).optional() }).optional(),
    })
    .optional(),
  models: z
    .strictObject({
      default: z.string().optional().describe("provider/model for agents that name none."),
      providers: z.record(z.string(), provider).optional(),
    })
    .optional(),
  agents: z.record(z.string(), agent).optional(),
  tools: z
    .strictObject({
      ...toolPolicy,
      approval: z
        .strictObject({
          default: approvalMode.optional(),
          rules: z.array(z.strictObject({ match: toolRule, mode: approvalMode })).optional(),
        })
        .optional(),
      search: z
        .strictObject({
          embeddings: z
            .string()
            .regex(/^[^/]+\/.+$/, { error: 'expected "provider/model"' })
            .optional()
            .describe(
              "provider/model that makes vectors of tool definitions and queries, so that search goes by meaning too. Default none.",
            ),
        })
        .optional(),
      webFetch: z
        .strictObject({
          allowPrivate: z
            .union([z.boolean(), z.array(addressRange)])
            .optional()
            .describe(
              "Addresses web_fetch may load beside public ones: true for all, or a list such as 10.0.0.0/8. Default none.",
            ),
        })
        .optional(),
      channels: policyTable.describe("Rules by channel; they can only narrow."),
      senders: policyTable.describe("Rules by sender; they can only narrow."),
      sessions: policyTable.describe("Rules by session id; they can only narrow."),
      sandbox: z.strictObject({ tools: sandboxTools.optional() }).optional(),
      toolSearch: toolSearch
        .optional()
        .describe(
          "tool_search, tool_describe and tool_call in place of the tools; code mode excludes it. Default false.",
        ),
      codeMode: codeMode.optional(),
    })
    .optional(),
  mcp: z.strictObject({ servers: z.record(z.string(), mcpServerSchema).optional() }).optional(),
  mcpServers: z
    .record(z.string(), mcpServerSchema)
    .optional()
    .describe("Same as mcp.servers, the name other clients use."),
  mcpServer: z
    .strictObject({
      directTools: toolRules
        .optional()
        .describe("Direct-only tools that MCP clients see beside exec and wait. Default none."),
    })
    .optional()
    .describe("What codemode mcp and POST /mcp serve."),
  plugins: z.array(z.string()).optional().describe("ES modules with a plugin as default export."),
  workspace: z.string().optional().describe("Root of the file tools. Default: the folder of this file."),
});

/** The configuration as parsed from a file. */
export type GatewayConfigInput = z.infer<typeof gatewayConfigSchema>;

/** One entry of `models.providers`. */
export type ProviderConfig = z.infer<typeof provider>;

/** One entry of `mcp.servers`. */
export type McpServerConfig = z.infer<typeof mcpServerSchema>;

/** JSON Schema (2020-12) of the file, from the same source as its parser; published as `config.schema.json`. */
export function gatewayConfigJsonSchema(): { [key: string]: unknown } {
  return z.toJSONSchema(gatewayConfigSchema, { target: "draft-2020-12", io: "input" }) as { [key: string]: unknown };
}
