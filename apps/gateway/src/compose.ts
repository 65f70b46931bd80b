import type { SearchEngine } from "@code-mode/catalog";
import {
  type CallRecorder,
  type CellObserver,
  CodeModeError,
  fixedLimits,
  type ModelTool,
  type ResolvedCodeModeConfig,
  type RunScope,
  type ToolExecutor,
  type ToolSet,
} from "@code-mode/contract";
import { type CodeModeRuntime, createCodeMode, createToolExecutor } from "@code-mode/runtime";
import { activate, assertPayload, createModelTools, type PayloadFormat } from "@code-mode/surface";
import { redact } from "@code-mode/telemetry";
import type { GatewayConfig } from "./config/load-config.ts";
import { secretsOf } from "./config/secrets-of.ts";
import { callDirectTool, toDirectModelTools } from "./direct-tools.ts";
import { McpSurface } from "./mcp-face/mcp-surface.ts";
import { UpstreamQuestions } from "./mcp-face/upstream-questions.ts";
import { PluginNamespaces } from "./namespaces/plugin-namespaces.ts";
import { type OpenedTools, type OpenToolsOptions, openTools } from "./open-tools.ts";
import { AgentCodeModes } from "./policy/agent-code-mode.ts";
import { ApprovalDesk, type ApprovalDeskOptions, approvalTtlMs } from "./policy/approval-desk.ts";
import { withApprovalHints } from "./policy/approval-hint.ts";
import type { AuditListener } from "./policy/audit-event.ts";
import { createPolicyPort, policyLevels } from "./policy/policy-port.ts";
import { RunRules } from "./policy/run-rules.ts";
import { openSearch } from "./search/open-search.ts";
import { ToolSearch } from "./tool-search/tool-search.ts";
import { toolSearchOf } from "./tool-search/tool-search-config.ts";

/** Options of `createHost`. */
export type HostOptions = Omit<OpenToolsOptions, "namespaces" | "elicit"> & {
  /** Default: the configuration's. */
  readonly codeMode?: ResolvedCodeModeConfig;
  readonly observer?: CellObserver;
  /** No agent runs here: only `mcp` is used. */
  readonly mcpOnly?: boolean;
  /** What becomes of calls that need an approval when no person can be asked. Default `deny`; `park` where somebody serves `approvals`. */
  readonly unattended?: ApprovalDeskOptions["unattended"];
  /** How programs search for tools, for all catalogs of this host. Default: as the configuration says. */
  readonly search?: SearchEngine;
  /** Hears who allowed or refused which call. */
  readonly audit?: AuditListener;
  /** Gets every finished call, nested or direct. */
  readonly recorder?: CallRecorder;
};

/** What the model gets in one run, and the check of every request that is sent to it (SUR-3). */
export type ModelSurface = {
  readonly tools: readonly ModelTool[];
  assertBody(body: unknown, format: PayloadFormat): void;
};

/** Code mode over the tools of a configuration. Disposing ends cells, server processes and plugins. */
export type Host = AsyncDisposable & {
  readonly config: GatewayConfig;
  /** Absent where the configuration leaves code mode off. */
  readonly codeMode: CodeModeRuntime | undefined;
  readonly tools: OpenedTools;
  /** Where those register who decide about calls that need an approval. */
  readonly approvals: ApprovalDesk;
  /** What the agent runs that are under way bring with them; open it before `activate`. */
  readonly runs: RunRules;
  /** What MCP clients get; starts nothing before the first of them is there. */
  readonly mcp: McpSurface;
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
  const search = options.search ?? openSearch(config, options.log);
  const namespaces = new PluginNamespaces(config);
  const runs = new RunRules();
  const questions = new UpstreamQuestions(() => ({
    approvals,
    findTool: ({ toolId, scope }) => tools.find(toolId, scope),
  }));
  const tools = await openTools({ ...options, namespaces: namespaces.sink, runs, elicit: questions.elicit });
  const codeModes = new AgentCodeModes(config, codeModeConfig);
  const approvals = openApprovals(options, { tools, ttlSeconds: codeModes.shortestTtlSeconds });
  const executor = withApprovalHints(questions.track(openExecutor(options, { tools, approvals, codeModes, runs })));
  const searchConfig = toolSearchOf(config);
  const toolSearch = searchConfig === undefined ? undefined : new ToolSearch(searchConfig, executor);
  const openCodeMode = (parts: CodeModeParts): CodeModeRuntime =>
    createCodeMode({
      tools: parts.tools,
      config: { ...parts.config, enabled: true },
      ...(parts.configOf === undefined ? {} : { configOf: parts.configOf }),
      executor,
      // for the outer exec and wait; nested calls meet them in the executor
      hooks: tools.plugins.hooks,
      search,
      namespaces: (scope, catalog, signal) => namespaces.forCell(scope, catalog, signal),
      ...(parts.observer === undefined ? {} : { telemetry: parts.observer }),
    });
  const wanted = ["", ...Object.keys(config.agents)].some((id) => codeModes.of(id).enabled);
  const observer = options.observer;
  const codeMode =
    wanted && options.mcpOnly !== true
      ? openCodeMode({
          config: codeModeConfig,
          configOf: ({ agentId }) => codeModes.of(agentId),
          tools: (scope) => tools.of(scope),
          observer,
        })
      : undefined;
  const mcp = new McpSurface({
    config,
    codeModeConfig,
    tools,
    executor,
    namespaces,
    approvals,
    observer,
    openCodeMode,
  });
  return {
    config,
    codeMode,
    tools,
    approvals,
    runs,
    mcp,
    activate: (scope) =>
      buildSurface(scope, { config, codeMode, executor, tools, codeModes, namespaces, runs, toolSearch }),
    async [Symbol.asyncDispose]() {
      await mcp[Symbol.asyncDispose]();
      await codeMode?.[Symbol.asyncDispose]();
      await tools[Symbol.asyncDispose]();
    },
  };
}

type CodeModeParts = {
  readonly config: ResolvedCodeModeConfig;
  readonly configOf?: (scope: RunScope) => ResolvedCodeModeConfig;
  readonly tools: (scope: RunScope) => ToolSet;
  readonly observer: CellObserver | undefined;
};

type SurfaceParts = {
  readonly config: GatewayConfig;
  readonly codeMode: CodeModeRuntime | undefined;
  readonly executor: ToolExecutor;
  readonly tools: OpenedTools;
  readonly codeModes: AgentCodeModes;
  readonly namespaces: PluginNamespaces;
  readonly runs: RunRules;
  readonly toolSearch: ToolSearch | undefined;
};

type ExecutorParts = Pick<SurfaceParts, "tools" | "codeModes" | "runs"> & { readonly approvals: ApprovalDesk };

/** The one path of every call, nested or direct (NEST-4). */
function openExecutor(options: HostOptions, { tools, approvals, codeModes, runs }: ExecutorParts): ToolExecutor {
  return createToolExecutor({
    // the policy refuses what is hidden, with the error of an unknown id: so that it hears of it
    resolveTool: (id, scope) => tools.resolve(id, scope),
    policy: createPolicyPort(options.config, { runs, onDenied: (denied) => options.audit?.(denied) }),
    hooks: tools.plugins.hooks,
    approvals,
    recorder: options.recorder,
    maxReplyBytes: ({ agentId }) => Math.floor(codeModes.of(agentId).memoryLimitBytes / fixedLimits.replyShareOfMemory),
    log: (message, facts) => options.log?.("tools", message, facts),
  });
}

function openApprovals(
  { config, unattended, audit, log }: HostOptions,
  { tools, ttlSeconds }: { readonly tools: OpenedTools; readonly ttlSeconds: number },
): ApprovalDesk {
  const secrets = secretsOf(config);
  const approvals = new ApprovalDesk(config, {
    unattended,
    ttlMs: approvalTtlMs(ttlSeconds),
    resolveTool: (id, scope) => tools.find(id, scope),
    redact: (input) => redact(input, { secrets }),
    log: (message) => log?.("approvals", message),
  });
  if (audit !== undefined) approvals.onEvent(audit);
  return approvals;
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
  const { codeMode, executor } = parts;
  const codeModeConfig = parts.codeModes.of(scope.agentId);
  const activation = activate({
    enabled: codeModeConfig.enabled,
    toolSet: parts.tools.of(scope),
    allowEmpty: policyLevels(parts.config, scope, parts.runs).some(({ allow }) => allow?.length === 0),
    disableTools: parts.runs.of(scope)?.disableTools === true,
  });
  if (activation.mode === "direct" && parts.toolSearch !== undefined)
    return { tools: parts.toolSearch.modelTools(parts.tools.of(scope)), assertBody: () => undefined };
  if (activation.mode !== "code")
    return { tools: toDirectModelTools(activation.tools, executor), assertBody: () => undefined };
  if (codeMode === undefined) throw codeModeOff();
  // the engine is loaded and probed before the first model request (ACT-4)
  await codeMode.ready();
  const { directTools } = activation;
  const catalog = codeMode.catalog(scope);
  const tools = createModelTools({
    codeMode,
    catalog,
    config: codeModeConfig,
    namespaces: parts.namespaces.texts(catalog),
    directTools,
    callDirectTool: (tool, input, options) => callDirectTool(executor, tool, input, options),
  });
  const directNames = directTools.map(({ name }) => name);
  return { tools, assertBody: (body, format) => assertPayload(format, body, directNames) };
}
