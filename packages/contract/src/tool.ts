import type { JsonObject, JsonSchema, JsonValue } from "./json.ts";
import type { RunScope } from "./run-scope.ts";

/** What a tool is told about the call it serves. */
export type ToolContext = RunScope & {
  /** Ends the call: abort, end of run or session, shutdown. */
  readonly signal: AbortSignal;
  readonly toolCallId: string;
  /** The `exec` or `wait` call of the cell that made this call; absent for a direct call. */
  readonly parentToolCallId?: string;
  /** The agent run, under the name plugins know. */
  readonly runId: string;
  /** Reports progress; text shows in `pendingToolCalls[].message`. */
  onUpdate(partial: unknown): void;
  log(message: string, facts?: JsonObject): void;
};

/** Where a tool comes from, in catalog order (CAT-1). */
export type ToolOrigin =
  | { readonly kind: "core" }
  | { readonly kind: "plugin"; readonly pluginId: string; readonly bundled?: boolean }
  | {
      readonly kind: "mcp";
      readonly server: string;
      readonly member?:
        | "tool"
        | "resources.read"
        | "resources.list"
        | "resources.templates"
        | "prompts.get"
        | "prompts.list";
    }
  | { readonly kind: "client"; readonly app?: string };

/** A tool as hosts give it to code mode. */
export type CodeModeTool = {
  readonly name: string;
  readonly label?: string;
  readonly description: string;
  /** JSON Schema of the input object. Default: any object. */
  readonly parameters?: JsonSchema;
  readonly outputSchema?: JsonSchema;
  /** Default `{kind: "core"}`. */
  readonly origin?: ToolOrigin;
  /** `direct-only`: stays visible to the model because its result cannot cross a JSON bridge (SUR-1). */
  readonly catalogMode?: "direct-only";
  readonly executionMode?: "parallel" | "sequential";
  readonly replaySafe?: boolean;
  readonly approval?: "never" | "always";
  /**
   * Does the work. Whatever it returns crosses as JSON; what it throws reaches the guest as a plain error
   * with `message` and, when they are strings, `name` and `code`.
   */
  execute(input: JsonValue, context: ToolContext): unknown;
};

/** State of one MCP server as the guest may see it (MCPC-1). */
export type McpServerState = {
  readonly name: string;
  readonly state: "starting" | "ready" | "failed" | "needs_login";
  /** Why it is not ready, in one line. */
  readonly note?: string;
};

/** The effective tools of one run; the same object means the same catalog. */
export type ToolSet = { readonly tools: readonly CodeModeTool[]; readonly mcpServers?: readonly McpServerState[] };
