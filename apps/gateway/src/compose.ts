import {
  type CellObserver,
  CodeModeError,
  fixedLimits,
  type ModelTool,
  type ResolvedCodeModeConfig,
  type RunScope,
  type ToolExecutor,
} from "@code-mode/contract";
import { type CodeModeRuntime, createCodeMode, createToolExecutor } from "@code-mode/runtime";
import { activate, assertPayload, createModelTools } from "@code-mode/surface";
import type { GatewayConfig } from "./config/load-config.ts";
import { callDirectTool, toDirectModelTools } from "./direct-tools.ts";
import { type OpenedTools, type OpenToolsOptions, openTools } from "./open-tools.ts";
import { createUnattendedApprovals } from "./policy/approval-port.ts";
import { createPolicyPort } from "./policy/policy-port.ts";

/** Options of `createHost`. */
export type HostOptions = OpenToolsOptions & {
  /** Default: the configuration's. */
  readonly codeMode?: ResolvedCodeModeConfig;
  readonly observer?: CellObserver;
  /** Time of one call that the description of `exec` shows (MCPS-3). */
  readonly mcpBudgetMs?: number;
};

/** What the model gets in one run, and the check of every request that is sent to it (SUR-3). */
export type ModelSurface = { readonly tools: readonly ModelTool[]; assertBody(body: unknown): void };

/** Code mode over the tools of a configuration. Disposing ends cells, server processes and plugins. */
export type Host = AsyncDisposable & {
  readonly config: GatewayConfig;
  /** Absent where the configuration leaves code mode off. */
  readonly codeMode: CodeModeRuntime | undefined;
  readonly tools: OpenedTools;
  /** The surface of one run: `exec` and `wait`, or the tools themselves where code mode is off (ACT-1). */
  activate(scope: RunScope): Promise<ModelSurface>;
};

/**
 * The place where implementations meet: tools, policy, hooks, approvals and the runtime.
 * @throws CodeModeError `invalid_input` for a configuration that cannot be used; nothing is left running then
 */
export async function createHost(options: HostOptions): Promise<Host> {
  const { config } = options;
  const codeModeConfig = options.codeMode ?? config.codeMode;
  const tools = await openTools(options);
  const executor = createToolExecutor({
    resolveTool: (id, scope) => tools.find(id, scope),
    policy: createPolicyPort(config),
    hooks: tools.plugins.hooks,
    approvals: createUnattendedApprovals(config),
    maxReplyBytes: Math.floor(codeModeConfig.memoryLimitBytes / fixedLimits.replyShareOfMemory),
    log: (message, facts) => options.log?.("tools", message, facts),
  });
  const codeMode = codeModeConfig.enabled
    ? createCodeMode({
        tools: (scope: RunScope) => tools.of(scope),
        config: codeModeConfig,
        executor,
        // for the outer exec and wait; nested calls meet them in the executor
        hooks: tools.plugins.hooks,
        ...(options.observer === undefined ? {} : { telemetry: options.observer }),
      })
    : undefined;
  return {
    config,
    codeMode,
    tools,
    activate: (scope) =>
      buildSurface(scope, { codeMode, executor, tools, codeModeConfig, mcpBudgetMs: options.mcpBudgetMs }),
    async [Symbol.asyncDispose]() {
      await codeMode?.[Symbol.asyncDispose]();
      await tools[Symbol.asyncDispose]();
    },
  };
}

type SurfaceParts = {
  readonly codeMode: CodeModeRuntime | undefined;
  readonly executor: ToolExecutor;
  readonly tools: OpenedTools;
  readonly codeModeConfig: ResolvedCodeModeConfig;
  readonly mcpBudgetMs: number | undefined;
};

/** Code mode of a host that was made with it enabled. */
export function enabledCodeMode(host: Host): CodeModeRuntime {
  if (host.codeMode !== undefined) return host.codeMode;
  throw codeModeOff();
}

function codeModeOff(): CodeModeError {
  return new CodeModeError(
    "invalid_input",
    "tools.codeMode is off in this configuration; set tools.codeMode.enabled to true.",
  );
}

async function buildSurface(scope: RunScope, parts: SurfaceParts): Promise<ModelSurface> {
  const { codeMode, executor, codeModeConfig: config } = parts;
  const toolSet = parts.tools.of(scope);
  const activation = activate({ enabled: config.enabled, toolSet });
  if (activation.mode !== "code")
    return { tools: toDirectModelTools(activation.tools, executor), assertBody: () => undefined };
  if (codeMode === undefined) throw codeModeOff();
  // the engine is loaded and probed before the first model request (ACT-4)
  await codeMode.ready();
  const { directTools } = activation;
  const tools = createModelTools({
    codeMode,
    catalog: codeMode.catalog(scope),
    config,
    directTools,
    callDirectTool: (tool, input, options) => callDirectTool(executor, tool, input, options),
    mcpBudgetMs: parts.mcpBudgetMs,
  });
  const directNames = directTools.map(({ name }) => name);
  return { tools, assertBody: (body) => assertPayload("openai-chat", body, directNames) };
}
