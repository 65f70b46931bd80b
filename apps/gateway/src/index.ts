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
export { createCoreTools } from "./core-tools/core-tools.ts";
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
export { ApprovalDesk, type ApprovalPerson } from "./policy/approval-desk.ts";
export { effectiveTools, type PolicyLevel } from "./policy/effective-tools.ts";
export { Models } from "./provider/models.ts";
export { parseScript, type Script, type ScriptStep } from "./provider/parse-script.ts";
export { type ChatRequest, type ScriptedModel, startScriptedModel } from "./provider/start-scripted-model.ts";
export { type Session, type SessionEvent, SessionStore } from "./turns/session-store.ts";
export type { TurnEvent } from "./turns/turn-event.ts";
export { type TurnAnswer, type TurnRequest, TurnRunner, type TurnRunnerParts } from "./turns/turn-runner.ts";
