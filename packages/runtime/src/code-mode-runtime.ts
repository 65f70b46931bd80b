import {
  type CallOptions,
  type Catalog,
  type CodeMode,
  CodeModeError,
  type CodeModeResult,
  type ExecInput,
  fixedLimits,
  messageOf,
  parseExecInput,
  parseWaitInput,
  type ResolvedCodeModeConfig,
  type RunScope,
  type SnapshotStore,
  type ToolExecutor,
} from "@code-mode/contract";
import { createMemorySnapshotStore } from "@code-mode/snapshots";
import { type CellPool, createCellPool } from "@code-mode/supervisor";
import { Budget } from "./budget.ts";
import { type CallTableOptions, CallTable } from "./call-table.ts";
import { CatalogSource } from "./catalog-source.ts";
import { Cell } from "./cell.ts";
import { CellDriver, createRunId } from "./cell-driver.ts";
import type { CellEnd } from "./cell-end.ts";
import type { CodeModeOptions } from "./code-mode-options.ts";
import { observedRun } from "./observe-calls.ts";
import { askOuterHooks } from "./outer-hooks.ts";
import { PerRun, type RunCounters } from "./per-run.ts";
import { ResultsStore } from "./results-store.ts";
import { base, settleResult } from "./settle-result.ts";
import { type SuspendedRun, SuspendedRuns, unknownRunMessage } from "./suspended-runs.ts";
import { restoreSnapshot, toSnapshot } from "./suspended-state.ts";
import { createToolExecutor } from "./tool-executor/create-tool-executor.ts";
import { waitForWork } from "./wait-for-work.ts";

/** Scope of calls that name none: one private session. */
const privateScope: RunScope = { agentId: "main", sessionId: "private", sessionKey: "private", agentRunId: "private" };

/** Models pass ids of shell jobs and of other conversations here. */
const unknownRunHint = "wait takes the runId of an exec result whose status is waiting, in this run. It knows no background process and no shell job; start over with exec.";

/** `exec` and `wait` over one pool of workers. */
export class CodeModeRuntime implements CodeMode {
  readonly config: ResolvedCodeModeConfig;
  readonly #options: CodeModeOptions;
  readonly #catalogs: CatalogSource;
  readonly #pool: CellPool;
  readonly #store: SnapshotStore;
  readonly #executor: ToolExecutor;
  readonly #suspended: SuspendedRuns;
  readonly #live = new Set<Cell>();
  readonly #counters = new PerRun<RunCounters>(() => ({ searchCount: 0, describeCount: 0, callCount: 0 }));
  readonly #results = new PerRun<ResultsStore>(() => new ResultsStore());
  #calls = 0;
  #disposed: Promise<void> | undefined;

  constructor(options: CodeModeOptions, config: ResolvedCodeModeConfig, workerUrl: URL) {
    this.#options = options;
    this.config = config;
    this.#catalogs = new CatalogSource(options.tools);
    this.#store = options.store ?? createMemorySnapshotStore();
    this.#executor = options.executor ?? this.#defaultExecutor();
    this.#suspended = new SuspendedRuns({
      store: this.#store,
      maxRuns: config.maxSuspendedRuns,
      waitScope: config.waitScope,
      onRemoved: (cell) => cell.controller.abort(),
    });
    this.#pool = createCellPool({ workerUrl, memoryLimitBytes: config.memoryLimitBytes, size: config.maxConcurrentCells });
  }

  /** Resolves when a program could run; rejects with `runtime_unavailable` (ACT-4). */
  ready(): Promise<void> {
    return this.#pool.ready();
  }

  /** The catalog that a program of this scope would get now. */
  catalog(scope: RunScope = privateScope): Catalog {
    return this.#catalogs.of(scope);
  }

  /** Cells that are suspended now. */
  get suspendedCount(): number {
    return this.#suspended.size;
  }

  async exec(input: unknown, options: CallOptions = {}): Promise<CodeModeResult> {
    const scope = options.scope ?? privateScope;
    const toolCallId = options.toolCallId ?? this.#nextCallId("exec");
    try {
      this.#assertOpen(options.signal);
      const hooked = await askOuterHooks(this.#options.hooks, { control: "exec", input, scope, signal: options.signal ?? new AbortController().signal });
      const parsed = parseExecInput(hooked, this.config);
      const cell = this.#createCell(parsed, scope);
      cell.toolCallId = toolCallId;
      this.#options.telemetry?.onCellEvent({ type: "cell_started", cellId: cell.id, toolCallId, scope, code: parsed.code, language: parsed.language });
      return await this.#run(cell, new Budget(this.config.timeoutMs), options.signal);
    } catch (error) {
      return this.#refused(error, scope);
    }
  }

  async wait(input: unknown, options: CallOptions = {}): Promise<CodeModeResult> {
    const scope = options.scope ?? privateScope;
    const toolCallId = options.toolCallId ?? this.#nextCallId("wait");
    try {
      this.#assertOpen(options.signal);
      const hooked = await askOuterHooks(this.#options.hooks, { control: "wait", input, scope, signal: options.signal ?? new AbortController().signal });
      const run = this.#suspended.admit(parseWaitInput(hooked).runId, scope);
      run.cell.toolCallId = toolCallId;
      this.#options.telemetry?.onCellEvent({ type: "cell_resumed", cellId: run.cell.id, toolCallId, scope });
      return await this.#resume(run, options.signal);
    } catch (error) {
      return this.#refused(error, scope);
    }
  }

  async endRun(scope: RunScope): Promise<void> {
    const matches = (other: RunScope): boolean => other.agentRunId === scope.agentRunId && other.sessionId === scope.sessionId;
    if (this.config.waitScope === "run") this.#end(matches);
    this.#counters.delete(scope.agentRunId);
    if (this.config.waitScope === "run") this.#results.delete(scope.agentRunId);
  }

  async endSession(sessionId: string): Promise<void> {
    this.#end((other) => other.sessionId === sessionId);
    this.#results.delete(sessionId);
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#disposed ??= this.#dispose();
    return this.#disposed;
  }

  async #dispose(): Promise<void> {
    this.#end(() => true);
    await this.#pool.dispose();
  }

  #end(matches: (scope: RunScope) => boolean): void {
    for (const cell of this.#live) if (matches(cell.scope)) cell.controller.abort();
    this.#suspended.removeWhere(matches);
  }

  #createCell(input: ExecInput, scope: RunScope): Cell {
    const catalog = this.#catalogs.of(scope);
    const resultsKey = this.config.waitScope === "session" ? scope.sessionId : scope.agentRunId;
    const cell = new Cell({
      id: createRunId(),
      input,
      scope,
      catalog,
      config: this.config,
      counters: this.#counters.get(scope.agentRunId),
      results: this.#results.get(resultsKey),
      namespaces: this.#options.namespaces?.(scope, catalog),
    });
    cell.calls = new CallTable(this.#callOptions(cell));
    return cell;
  }

  #callOptions(cell: Cell): CallTableOptions {
    return { maxParallel: this.config.maxPendingToolCalls, signal: cell.signal, run: observedRun(cell, this.#executor, this.#options.telemetry) };
  }

  async #resume(run: SuspendedRun, signal: AbortSignal | undefined): Promise<CodeModeResult> {
    const { cell } = run;
    const budget = new Budget(this.config.timeoutMs);
    const unlink = this.#link(cell, signal);
    const event = await waitForWork({ cell, budgetMs: budget.remainingMs, throughApprovals: true });
    unlink();
    if (event === "budget") {
      this.#suspended.keep(cell, run.snapshotBytes);
      const reason = cell.calls.pendingCount > 0 ? "pending_tools" : "yield";
      return this.#report(cell, this.#waitingResult(cell, { kind: "suspend", reason, yieldReason: undefined }, run.snapshotBytes));
    }
    const snapshot = await this.#store.claim(cell.id);
    if (event === "aborted" || snapshot === undefined) return this.#abandon(cell, event === "aborted");
    try {
      restoreSnapshot(cell, snapshot, await this.#pool.templateId());
    } catch (error) {
      this.#suspended.drop(cell.id);
      cell.controller.abort();
      throw error;
    }
    return this.#run(cell, budget, signal);
  }

  #abandon(cell: Cell, aborted: boolean): CodeModeResult {
    this.#suspended.remove(cell.id);
    cell.controller.abort();
    if (!aborted) throw new CodeModeError("internal_error", "the suspended program is no longer in the snapshot store and was given up");
    return this.#report(cell, settleResult(cell, { kind: "fault", fault: { kind: "aborted" } }, this.#context(cell.scope)));
  }

  /** One leg of a cell: until it ends or is suspended. */
  async #run(cell: Cell, budget: Budget, signal: AbortSignal | undefined): Promise<CodeModeResult> {
    this.#live.add(cell);
    const unlink = this.#link(cell, signal);
    try {
      const end = await new CellDriver({ pool: this.#pool, cell, budget }).run();
      if (end.kind === "suspend" && !cell.signal.aborted) return this.#report(cell, await this.#suspend(cell, end));
      return this.#report(cell, this.#finish(cell, end.kind === "suspend" ? { kind: "fault", fault: { kind: "aborted" } } : end));
    } finally {
      unlink();
      this.#live.delete(cell);
    }
  }

  #link(cell: Cell, signal: AbortSignal | undefined): () => void {
    if (signal === undefined) return () => undefined;
    const abort = (): void => cell.controller.abort();
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort);
    return () => signal.removeEventListener("abort", abort);
  }

  #finish(cell: Cell, end: Exclude<CellEnd, { kind: "suspend" }>): CodeModeResult {
    this.#suspended.drop(cell.id);
    const result = settleResult(cell, end, this.#context(cell.scope));
    cell.controller.abort();
    return result;
  }

  async #suspend(cell: Cell, end: Extract<CellEnd, { kind: "suspend" }>): Promise<CodeModeResult> {
    const packed = cell.packed;
    if (packed === undefined) throw new CodeModeError("internal_error", "a suspended cell has no packed VM");
    const bytes = packed.bytes.byteLength;
    try {
      this.#suspended.assertRoom(cell);
      if (bytes > this.config.maxSnapshotBytes) return this.#finish(cell, { kind: "snapshot", reason: "too_large", bytes, message: "" });
      await this.#store.put(cell.id, toSnapshot(cell, packed, await this.#pool.templateId()));
    } catch (error) {
      const problem = CodeModeError.is(error) ? error : new CodeModeError("internal_error", `the suspended program could not be stored: ${messageOf(error)}`, { cause: error });
      return this.#finish(cell, { kind: "error", error: problem });
    }
    cell.packed = undefined;
    this.#suspended.keep(cell, bytes);
    return this.#waitingResult(cell, end, bytes);
  }

  #waitingResult(cell: Cell, end: Extract<CellEnd, { kind: "suspend" }>, snapshotBytes: number): CodeModeResult {
    const pending = cell.calls.pending();
    return {
      status: "waiting",
      runId: cell.id,
      reason: end.reason,
      ...(end.yieldReason === undefined ? {} : { yieldReason: end.yieldReason.slice(0, fixedLimits.maxYieldReasonLength) }),
      ...(pending.length === 0 ? {} : { pendingToolCalls: pending }),
      ...(cell.input.restartSafe ? { restartSafe: true as const } : {}),
      ...base(cell, cell.takeOutput(), { ...this.#context(cell.scope), snapshotBytes }),
    };
  }

  #report(cell: Cell, result: CodeModeResult): CodeModeResult {
    this.#options.telemetry?.onCellEvent({ type: "cell_result", cellId: cell.id, toolCallId: cell.toolCallId, result, durationMs: 0 });
    return result;
  }

  /** A call that never reached a cell, or whose cell could not be resumed. */
  #refused(error: unknown, scope: RunScope): CodeModeResult {
    const known = CodeModeError.is(error) ? error : new CodeModeError("internal_error", `the call failed on the host: ${messageOf(error)}`, { cause: error });
    return {
      status: "failed",
      error: known.message,
      code: known.code,
      ...(known.details === undefined ? {} : { details: known.details }),
      ...(known.message === unknownRunMessage ? { hint: unknownRunHint } : {}),
      telemetry: this.#emptyTelemetry(scope),
    };
  }

  #emptyTelemetry(scope: RunScope): CodeModeResult["telemetry"] {
    const { sources } = this.#catalogs.of(scope);
    return {
      catalogSize: sources.openclaw + sources.mcp + sources.client,
      sources: { ...sources },
      ...this.#counters.get(scope.agentRunId),
      visibleTools: this.#visibleTools(scope),
      calls: { completed: 0, failed: 0, pending: 0, notStarted: 0 },
    };
  }

  #context(scope: RunScope): { visibleTools: readonly string[] } {
    return { visibleTools: this.#visibleTools(scope) };
  }

  #visibleTools(scope: RunScope): string[] {
    return ["exec", "wait", ...this.#catalogs.directNames(scope)];
  }

  #nextCallId(control: string): string {
    return `${control}_${++this.#calls}`;
  }

  #assertOpen(signal: AbortSignal | undefined): void {
    if (this.#disposed !== undefined) throw new CodeModeError("aborted", "code mode was shut down");
    if (signal?.aborted === true) throw new CodeModeError("aborted", "the call was aborted before it started; nothing ran");
  }

  #defaultExecutor(): ToolExecutor {
    const { policy, hooks, approvals, recorder } = this.#options;
    return createToolExecutor({
      resolveTool: (toolId, scope) => this.#catalogs.of(scope).get(toolId)?.tool,
      policy,
      hooks,
      approvals,
      recorder,
      maxReplyBytes: Math.floor(this.config.memoryLimitBytes / fixedLimits.replyShareOfMemory),
    });
  }
}

