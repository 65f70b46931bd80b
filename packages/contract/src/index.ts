export { assertNever } from "./assert-never.ts";
export type {
  ApiFile,
  ApiSearchEntry,
  BuildCatalog,
  Catalog,
  CatalogEntry,
  CatalogEntryWithSchema,
  CatalogSource,
  CatalogTool,
  GuestCatalogData,
  McpApiHeader,
  UnavailableServer,
} from "./catalog-entry.ts";
export { type ExecInput, type ExecInputRules, parseExecInput, parseWaitInput, type WaitInput } from "./cell-input.ts";
export type {
  CodeModeCompletedResult,
  CodeModeFailedResult,
  CodeModeOutput,
  CodeModePendingToolCall,
  CodeModeResult,
  CodeModeTelemetry,
  CodeModeWaitingResult,
  ResultReference,
  SourcePosition,
} from "./cell-result.ts";
export {
  type CodeModeConfig,
  type CodeModeConfigObject,
  type CodeModeLanguage,
  codeModeLanguages,
  type ResolvedCodeModeConfig,
} from "./config.ts";
export { codeModeConfigJsonSchema, codeModeConfigObjectSchema, codeModeConfigSchema } from "./config-schema.ts";
export { describeFound } from "./describe-found.ts";
export { describeIssues } from "./describe-issues.ts";
export { CodeModeError, type CodeModeErrorOptions, messageOf } from "./error.ts";
export { type CodeModeErrorCode, codeModeErrorCodes } from "./error-codes.ts";
export type { JsonObject, JsonSchema, JsonValue } from "./json.ts";
export { type CodeModeLimitName, codeModeLimits, fixedLimits, type Limit } from "./limits.ts";
export { didYouMean, nearestNames } from "./nearest.ts";
export type {
  ApprovalDecision,
  ApprovalPort,
  ApprovalRequest,
  CallOptions,
  CallRecord,
  CallRecorder,
  CellEvent,
  CellObserver,
  CodeMode,
  ExecuteOptions,
  GuestError,
  HookDecision,
  HookEvent,
  HookPort,
  ModelTool,
  NestedCall,
  NestedOutcome,
  NestedUpdate,
  PolicyPort,
  ReceiptBudget,
  SnapshotStore,
  StoredSnapshot,
  SuspendedState,
  ToolExecutor,
  ToolRequest,
} from "./ports.ts";
export { type ResolveConfigOptions, resolveCodeModeConfig } from "./resolve-config.ts";
export type { RunScope } from "./run-scope.ts";
export type { PositionMap, PreparedSource, PrepareSource, SourceRequest } from "./source.ts";
export type { CodeModeTool, McpServerState, ToolContext, ToolOrigin, ToolSet } from "./tool.ts";
