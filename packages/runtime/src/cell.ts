import type { OutputUse, PackedVm, PreparedInfo } from "@code-mode/bridge";
import type {
  Catalog,
  CodeModeOutput,
  ExecInput,
  JsonValue,
  ResolvedCodeModeConfig,
  RunScope,
} from "@code-mode/contract";
import type { Budget } from "./budget.ts";
import type { CallTable } from "./call-table.ts";
import type { RunCounters } from "./per-run.ts";
import type { ResultsStore } from "./results-store.ts";

/** The namespaces that one cell sees: their descriptors as JSON text, and who answers their calls (NS-7). */
export type CellNamespaces = {
  readonly json: string;
  /** @throws CodeModeError `tool_error` for forged ids and paths, or when an input mapper throws */
  resolveCall(
    namespaceId: string,
    path: string,
    args: readonly JsonValue[],
  ): { readonly toolId: string; readonly input: JsonValue };
};

/** What a cell is made of. */
export type CellParts = {
  readonly id: string;
  readonly input: ExecInput;
  readonly scope: RunScope;
  readonly catalog: Catalog;
  readonly config: ResolvedCodeModeConfig;
  readonly counters: RunCounters;
  readonly results: ResultsStore;
  readonly namespaces?: ((signal: AbortSignal) => CellNamespaces | undefined) | undefined;
};

/** One program with all its continuations, as the main thread keeps it. */
export class Cell {
  readonly id: string;
  readonly input: ExecInput;
  readonly scope: RunScope;
  readonly catalog: Catalog;
  readonly config: ResolvedCodeModeConfig;
  readonly counters: RunCounters;
  readonly results: ResultsStore;
  readonly namespaces: CellNamespaces | undefined;
  /** Ends the cell and every call it made. */
  readonly controller = new AbortController();
  calls!: CallTable;
  nextSequence = 1;
  prepared: PreparedInfo | undefined;
  outputUse: OutputUse = { usedBytes: 0, omittedBytes: 0 };
  /** Output since the last result. */
  output: CodeModeOutput[] = [];
  hints: string[] = [];
  /** The exec or wait call that drives the cell now. */
  toolCallId = "";
  /** When that call reached the cell, on a monotonic clock. */
  legStartedAt = 0;
  /** The time of that call. */
  budget: Budget | undefined;
  /** The VM while it is packed inside a live call. */
  packed: PackedVm | undefined;
  /** The guest waits for nothing but the next wait call. */
  yielded = false;
  /** Wall-clock time of the guest's next timer. */
  timerDueAt: number | undefined;

  constructor(parts: CellParts) {
    this.id = parts.id;
    this.input = parts.input;
    this.scope = parts.scope;
    this.catalog = parts.catalog;
    this.config = parts.config;
    this.counters = parts.counters;
    this.results = parts.results;
    this.namespaces = parts.namespaces?.(this.signal);
  }

  /** A new exec or wait call drives the cell from now on. */
  startLeg(toolCallId: string): void {
    this.toolCallId = toolCallId;
    this.legStartedAt = performance.now();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  hint(text: string): void {
    if (!this.hints.includes(text)) this.hints.push(text);
  }

  takeOutput(): CodeModeOutput[] {
    const output = this.output;
    this.output = [];
    return output;
  }
}
