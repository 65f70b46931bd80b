import type {
  HookDecision,
  HookEvent,
  JsonObject,
  JsonSchema,
  JsonValue,
  NestedOutcome,
  RunScope,
} from "@code-mode/contract";

/** What `execute` of a plugin tool is told about the call it serves (PLG-1). */
export type PluginToolContext = {
  readonly signal: AbortSignal;
  readonly toolCallId: string;
  readonly parentToolCallId?: string;
  readonly agentId: string;
  readonly sessionId: string;
  readonly sessionKey: string;
  readonly runId: string;
  readonly sender?: string;
  readonly channel?: string;
  onUpdate(partial: unknown): void;
  log(message: string, facts?: JsonObject): void;
};

/** A tool that a plugin brings (PLG-1). */
export type PluginTool = {
  readonly name: string;
  readonly label?: string;
  readonly description: string;
  readonly parameters: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly catalogMode?: "direct-only";
  readonly executionMode?: "parallel" | "sequential";
  readonly replaySafe?: boolean;
  readonly approval?: "never" | "always";
  execute(input: JsonValue, context: PluginToolContext): unknown;
};

/** Hooks around every call of every tool (PLG-2). */
export type PluginHooks = {
  before_tool_call?(
    event: HookEvent,
    context: RunScope & { readonly signal: AbortSignal },
  ): HookAnswer | Promise<HookAnswer>;
  after_tool_call?(event: HookEvent & { readonly outcome: NestedOutcome }, context: RunScope): unknown;
};

/** What `before_tool_call` may answer. */
// biome-ignore lint/suspicious/noConfusingVoidType: a hook that returns nothing is the usual case
export type HookAnswer = HookDecision | null | void;

/** What `setup` gets; there is no registration call on purpose (PLG-4). */
export type PluginApi = { readonly pluginId: string; log(message: string, facts?: JsonObject): void };

/** The default export of a plugin module (PLG-1). `namespaces` is experimental and read by the loader only (PLG-4). */
export type Plugin = {
  readonly id: string;
  readonly name?: string;
  readonly tools?: readonly PluginTool[];
  readonly hooks?: PluginHooks;
  readonly namespaces?: readonly unknown[];
  setup?(api: PluginApi): void | Promise<void>;
  dispose?(): void | Promise<void>;
};
