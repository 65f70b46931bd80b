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
import { createPolicyPort, policyLevels } from "./policy/policy-port.ts";

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
  const wanted =
    codeModeConfig.enabled || Object.keys(config.agents).some((id) => isEnabledFor(id, config, codeModeConfig));
  const codeMode = wanted
    ? createCodeMode({
        tools: (scope: RunScope) => tools.of(scope),
        config: { ...codeModeConfig, enabled: true },
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
      buildSurface(scope, { config, codeMode, executor, tools, codeModeConfig, mcpBudgetMs: options.mcpBudgetMs }),
    async [Symbol.asyncDispose]() {
      await codeMode?.[Symbol.asyncDispose]();
      await tools[Symbol.asyncDispose]();
    },
  };
}

type SurfaceParts = {
  readonly config: GatewayConfig;
  readonly codeMode: CodeModeRuntime | undefined;
  readonly executor: ToolExecutor;
  readonly tools: OpenedTools;
  readonly codeModeConfig: ResolvedCodeModeConfig;
  readonly mcpBudgetMs: number | undefined;
};

/** An agent may switch code mode on or off for itself (CFG-5). */
function isEnabledFor(agentId: string, { agents }: GatewayConfig, base: ResolvedCodeModeConfig): boolean {
  const own = Object.hasOwn(agents, agentId) ? agents[agentId]?.tools?.codeMode : undefined;
  return (typeof own === "object" ? own.enabled : own) ?? base.enabled;
}

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
  const { codeMode, executor, codeModeConfig } = parts;
  const activation = activate({
    enabled: isEnabledFor(scope.agentId, parts.config, codeModeConfig),
    toolSet: parts.tools.of(scope),
    allowEmpty: policyLevels(parts.config, scope).some(({ allow }) => allow?.length === 0),
  });
  if (activation.mode !== "code")
    return { tools: toDirectModelTools(activation.tools, executor), assertBody: () => undefined };
  if (codeMode === undefined) throw codeModeOff();
  // the engine is loaded and probed before the first model request (ACT-4)
  await codeMode.ready();
  const { directTools } = activation;
  const tools = createModelTools({
    codeMode,
    catalog: codeMode.catalog(scope),
    config: codeModeConfig,
    directTools,
    callDirectTool: (tool, input, options) => callDirectTool(executor, tool, input, options),
    mcpBudgetMs: parts.mcpBudgetMs,
  });
  const directNames = directTools.map(({ name }) => name);
  return { tools, assertBody: (body) => assertPayload("openai-chat", body, directNames) };
}
