export type { ToolSource } from "./catalog-source.ts";
export type { CellNamespaces } from "./cell.ts";
export type { CodeModeOptions } from "./code-mode-options.ts";
export type { CodeModeRuntime } from "./code-mode-runtime.ts";
export { createCodeMode } from "./create-code-mode.ts";
export type { SuspendedRunInfo } from "./suspended-runs.ts";
export { createToolExecutor } from "./tool-executor/create-tool-executor.ts";
export { isReplaySafe } from "./tool-executor/replay-safe.ts";
export type { ToolExecutorOptions } from "./tool-executor/tool-executor-options.ts";
