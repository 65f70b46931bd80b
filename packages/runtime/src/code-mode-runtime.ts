import {
  type CallOptions,
  type Catalog,
  type CellObserver,
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
import { Budget } from "./budget.ts";
import { CallTable, type CallTableOptions } from "./call-table.ts";
import { CatalogSource } from "./catalog-source.ts";
import { Cell } from "./cell.ts";
import { CellPools } from "./cell-pools.ts";
import { CellRunner } from "./cell-runner.ts";
import type { CodeModeOptions } from "./code-mode-options.ts";
import { hintNamedUnavailable } from "./hint-unavailable.ts";
import { observedRun, safeObserver } from "./observe-calls.ts";
import { askOuterHooks } from "./outer-hooks.ts";
import { PerRun, type RunCounters } from "./per-run.ts";
import { ResultsStore } from "./results-store.ts";
import { createRunId } from "./run-id.ts";
import { type SuspendedRunInfo, SuspendedRuns, unknownRunMessage } from "./suspended-runs.ts";
import { createToolExecutor } from "./tool-executor/create-tool-executor.ts";

/** Scope of calls that name none: one private session. */
const privateScope: RunScope = { agentId: "main", sessionId: "private", sessionKey: "private", agentRunId: "private" };

/** Models pass ids of shell jobs and of other conversations here. */
const unknownRunHint =
  "wait takes the runId of an exec result whose status is waiting, in this run. It knows no background process and no shell job; start over with exec.";

/** `exec` and `wait` over pools of workers. */
export class CodeModeRuntime implements CodeMode {
  readonly config: ResolvedCodeModeConfig;
  readonly #options: CodeModeOptions;
  readonly #observer: CellObserver | undefined;
  readonly #catalogs: CatalogSource;
  readonly #pools: CellPools;
  readonly #store: SnapshotStore;
  readonly #executor: ToolExecutor;
  readonly #suspended: SuspendedRuns;
  readonly #runner: CellRunner;
  readonly #counters = new PerRun<RunCounters>(() => ({ searchCount: 0, describeCount: 0, callCount: 0 }));
  readonly #results = new PerRun<ResultsStore>(() => new ResultsStore());
  #calls = 0;
  #disposed: Promise<void> | undefined;

  constructor(options: CodeModeOptions, config: ResolvedCodeModeConfig, workerUrl: URL) {
    this.#options = options;
    this.#observer = options.telemetry === undefined ? undefined : safeObserver(options.telemetry);
    this.config = config;
    this.#catalogs = new CatalogSource(options.tools, options.search);
    this.#store = options.store ?? createMemorySnapshotStore();
    this.#executor = options.executor ?? this.#defaultExecutor();
    this.#suspended = new SuspendedRuns({
      store: this.#store,
      maxRuns: config.maxSuspendedRuns,
      othersRunning: (sessionId) => this.#runner.hasCellsOfOthers(sessionId),
      onRemoved: (cell) => cell.controller.abort(),
    });
    this.#pools = new CellPools(config, workerUrl);
    this.#runner = new CellRunner({
      pools: this.#pools,
      store: this.#store,
      suspended: this.#suspended,
      observer: this.#observer,
      visibleTools: (scope) => this.#visibleTools(scope),
    });
  }

  /** Resolves when a program could run; rejects with `runtime_unavailable` (ACT-4). */
  ready(): Promise<void> {
    return this.#pools.ready();
  }

  /** The configuration that cells of this scope run with: an agent may have limits of its own (CFG-5). */
  configOf(scope: RunScope = privateScope): ResolvedCodeModeConfig {
    return this.#options.configOf?.(scope) ?? this.config;
  }

  /** The catalog that a program of this scope would get now. */
  catalog(scope: RunScope = privateScope): Catalog {
    return this.#catalogs.of(scope);
  }

  /** Cells that are suspended now. */
  get suspendedCount(): number {
    return this.#suspended.size;
  }

  /** What is suspended now, whose it is and what it waits for; longest suspended first. */
  suspendedRuns(): readonly SuspendedRunInfo[] {
    return this.#suspended.list();
  }

  async exec(input: unknown, given?: CallOptions): Promise<CodeModeResult> {
    const options = given ?? {};
    const scope = options.scope ?? privateScope;
    const toolCallId = options.toolCallId ?? this.#nextCallId("exec");
    try {
      this.#assertOpen(options.signal);
      const hooked = await askOuterHooks(this.#options.hooks, {
        control: "exec",
        input,
        scope,
        signal: options.signal ?? new AbortController().signal,
      });
      const parsed = readInput(() => parseExecInput(hooked, this.configOf(scope)));
      const cell = this.#createCell(parsed, scope);
      cell.startLeg(toolCallId);
      this.#observer?.onCellEvent({
        type: "cell_started",
        cellId: cell.id,
        toolCallId,
        scope,
        code: parsed.code,
        language: parsed.language,
      });
      const budget = new Budget(cell.config.timeoutMs, options.budget);
      return await this.#runner.run(cell, budget, options.signal);
    } catch (error) {
      return this.#refused(error, scope);
    }
  }

  async wait(input: unknown, given?: CallOptions): Promise<CodeModeResult> {
    const options = given ?? {};
    const scope = options.scope ?? privateScope;
    const toolCallId = options.toolCallId ?? this.#nextCallId("wait");
    try {
      this.#assertOpen(options.signal);
      const hooked = await askOuterHooks(this.#options.hooks, {
        control: "wait",
        input,
        scope,
        signal: options.signal ?? new AbortController().signal,
      });
      const run = this.#suspended.admit(readInput(() => parseWaitInput(hooked)).runId, scope);
      run.cell.startLeg(toolCallId);
      this.#observer?.onCellEvent({ type: "cell_resumed", cellId: run.cell.id, toolCallId, scope });
      const budget = new Budget(run.cell.config.timeoutMs, options.budget);
      return await this.#runner.resume(run, budget, options.signal);
    } catch (error) {
      return this.#refused(error, scope);
    }
  }

  async endRun(scope: RunScope): Promise<void> {
    const matches = (other: RunScope): boolean =>
      other.agentRunId === scope.agentRunId && other.sessionId === scope.sessionId;
    this.#counters.delete(scope.agentRunId);
    if (this.configOf(scope).waitScope !== "run") return;
    this.#end(matches);
    this.#results.delete(scope.agentRunId);
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
    await this.#pools.dispose();
  }

  #end(matches: (scope: RunScope) => boolean): void {
    this.#runner.abortWhere(matches);
    this.#suspended.removeWhere(matches);
  }

  #createCell(input: ExecInput, scope: RunScope): Cell {
    const catalog = this.#catalogs.of(scope);
    const config = this.configOf(scope);
    const resultsKey = config.waitScope === "session" ? scope.sessionId : scope.agentRunId;
    const cell = new Cell({
      id: createRunId(),
      input,
      scope,
      catalog,
      config,
      counters: this.#counters.get(scope.agentRunId),
      results: this.#results.get(resultsKey),
      namespaces: (signal) => this.#options.namespaces?.(scope, catalog, signal),
    });
    cell.calls = new CallTable(this.#callOptions(cell));
    hintNamedUnavailable(cell);
    return cell;
  }

  #callOptions(cell: Cell): CallTableOptions {
    return {
      maxParallel: cell.config.maxPendingToolCalls,
      signal: cell.signal,
      run: observedRun(cell, this.#executor, this.#observer),
    };
  }

  /** A call that never reached a cell, or whose cell could not be resumed. */
  #refused(error: unknown, scope: RunScope): CodeModeResult {
    const known = CodeModeError.is(error)
      ? error
      : new CodeModeError("internal_error", `the call failed on the host: ${messageOf(error)}`, { cause: error });
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
    const calls = { completed: 0, failed: 0, pending: 0, notStarted: 0 };
    const counters = this.#counters.get(scope.agentRunId);
    try {
      const { sources } = this.#catalogs.of(scope);
      const catalogSize = sources.openclaw + sources.mcp + sources.client;
      return { catalogSize, sources: { ...sources }, ...counters, visibleTools: this.#visibleTools(scope), calls };
    } catch {
      // The tools could not be had, which is what the result says; it still needs its counters.
      return {
        catalogSize: 0,
        sources: { openclaw: 0, mcp: 0, client: 0 },
        ...counters,
        visibleTools: ["exec", "wait"],
        calls,
      };
    }
  }

  #visibleTools(scope: RunScope): string[] {
    return ["exec", "wait", ...this.#catalogs.directNames(scope)];
  }

  #nextCallId(control: string): string {
    return `${control}_${++this.#calls}`;
  }

  #assertOpen(signal: AbortSignal | undefined): void {
    if (this.#disposed !== undefined) throw new CodeModeError("aborted", "code mode was shut down");
    if (signal?.aborted === true)
      throw new CodeModeError("aborted", "the call was aborted before it started; nothing ran");
  }

  #defaultExecutor(): ToolExecutor {
    const { policy, hooks, approvals, recorder } = this.#options;
    return createToolExecutor({
      resolveTool: (toolId, scope) => this.#catalogs.of(scope).get(toolId)?.tool,
      policy,
      hooks,
      approvals,
      recorder,
      maxReplyBytes: (scope) => Math.floor(this.configOf(scope).memoryLimitBytes / fixedLimits.replyShareOfMemory),
    });
  }
}

/** Input of a host without types may have getters that throw: that is bad input, not a fault of ours. */
function readInput<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (CodeModeError.is(error)) throw error;
    throw new CodeModeError("invalid_input", `the input cannot be read: ${messageOf(error)}`, { cause: error });
  }
}
