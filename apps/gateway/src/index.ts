export { createCodeModeNamespaceTool, type NamespaceContext, type NamespaceRegistration } from "@code-mode/catalog";
export { createHost, enabledCodeMode, type Host, type HostOptions, type ModelSurface } from "./compose.ts";
export {
  type GatewayConfigInput,
  gatewayConfigJsonSchema,
  type McpServerConfig,
  type ProviderConfig,
} from "./config/config-schema.ts";
export { type GatewayConfig, type LoadConfigOptions, loadConfig, resolveConfig } from "./config/load-config.ts";
export { secretsOf } from "./config/secrets-of.ts";
export { type CoreToolsOptions, createCoreTools } from "./core-tools/core-tools.ts";
export type { MessagePort, UserMessage } from "./core-tools/message-tool.ts";
export type { SessionCounts, SessionStatusPort } from "./core-tools/session-status-tool.ts";
export { type RunningGateway, type StartGatewayOptions, startGateway } from "./http/start-gateway.ts";
export { createMcpHttp, type McpHttp, type McpHttpOptions } from "./mcp-face/mcp-http.ts";
export type { McpSurface } from "./mcp-face/mcp-surface.ts";
export { type OpenedTools, type OpenToolsOptions, openTools } from "./open-tools.ts";
export {
  type LoadedPlugins,
  type LoadPluginsOptions,
  loadPlugins,
  type NamespaceSink,
} from "./plugins/load-plugins.ts";
export type {
  HookAnswer,
  Plugin,
  PluginApi,
  PluginHooks,
  PluginTool,
  PluginToolContext,
} from "./plugins/plugin-types.ts";
export type {
  Approval,
  ApprovalEvent,
  ApprovalState,
  DecideOutcome,
  DecisionInput,
} from "./policy/approval.ts";
export {
  ApprovalDesk,
  type ApprovalDeskOptions,
  type ApprovalFilter,
  type ApprovalPerson,
} from "./policy/approval-desk.ts";
export type { AuditEvent, AuditListener } from "./policy/audit-event.ts";
export { effectiveTools, type PolicyLevel } from "./policy/effective-tools.ts";
export type { PolicyDenied } from "./policy/policy-port.ts";
export { type RunRule, RunRules } from "./policy/run-rules.ts";
export { Models } from "./provider/models.ts";
export { parseScript, type Script, type ScriptStep } from "./provider/parse-script.ts";
export { type ChatRequest, type ScriptedModel, startScriptedModel } from "./provider/start-scripted-model.ts";
export { createMemoryTranscriptStore } from "./store/memory-transcript-store.ts";
export { type OpenTranscriptStoreOptions, openTranscriptStore } from "./store/open-transcript-store.ts";
export { SessionLog } from "./store/session-log.ts";
export type { SessionEvent, SessionInfo, StoredMessage, TranscriptStore } from "./store/transcript-store.ts";
export type { ClientToolsPort, OpenClientTools } from "./turns/client-tools-port.ts";
export type { ClientToolDefinition, Turn, TurnAnswer, TurnRequest, TurnUsage } from "./turns/turn.ts";
export type { TurnEvent } from "./turns/turn-event.ts";
export { TurnRunner, type TurnRunnerParts } from "./turns/turn-runner.ts";
