import type { SearchEngine } from "@code-mode/catalog";
import type {
  ApprovalPort,
  CallRecorder,
  Catalog,
  CellObserver,
  HookPort,
  PolicyPort,
  ResolvedCodeModeConfig,
  RunScope,
  SnapshotStore,
  ToolExecutor,
} from "@code-mode/contract";
import type { ToolSource } from "./catalog-source.ts";
import type { CellNamespaces } from "./cell.ts";

/** Options of `createCodeMode`; only `tools` is needed. */
export type CodeModeOptions = {
  /** Tools of every run, or a function that gives the effective tools of a scope. */
  readonly tools: ToolSource;
  /** As `tools.codeMode` in a configuration file. Omitted: enabled with defaults. */
  readonly config?: unknown;
  /** The configuration of an agent that overrides parts of `config`; nothing where it does not. Bounds of the process stay `config`'s. */
  readonly configOf?: (scope: RunScope) => ResolvedCodeModeConfig | undefined;
  /** Who carries out tool calls. Default: `createToolExecutor` with the ports below. */
  readonly executor?: ToolExecutor;
  readonly policy?: PolicyPort;
  readonly hooks?: HookPort;
  readonly approvals?: ApprovalPort;
  readonly recorder?: CallRecorder;
  /** Where suspended programs rest. Default: this process's memory. */
  readonly store?: SnapshotStore;
  /** Receives the events of every cell. */
  readonly telemetry?: CellObserver;
  /** How programs search for tools. Default: by words; `createHybridEngine({ embed })` of the catalog adds meaning. */
  readonly search?: SearchEngine;
  /** Namespaces of a run; their scopes are made once per cell. `signal` ends the cell. */
  readonly namespaces?: (scope: RunScope, catalog: Catalog, signal: AbortSignal) => CellNamespaces | undefined;
};
