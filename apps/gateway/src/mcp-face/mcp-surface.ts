import type {
  CellEvent,
  CellObserver,
  CodeModeTool,
  ModelTool,
  ResolvedCodeModeConfig,
  RunScope,
  ToolExecutor,
  ToolSet,
} from "@code-mode/contract";
import type { McpServerFaceOptions } from "@code-mode/mcp";
import type { CodeModeRuntime, SuspendedRunInfo } from "@code-mode/runtime";
import { createModelTools } from "@code-mode/surface";
import type { Server } from "@modelcontextprotocol/server";
import type { GatewayConfig } from "../config/load-config.ts";
import { callDirectTool } from "../direct-tools.ts";
import type { PluginNamespaces } from "../namespaces/plugin-namespaces.ts";
import type { OpenedTools } from "../open-tools.ts";
import type { ApprovalDesk, ApprovalPerson } from "../policy/approval-desk.ts";
import { matchesRule } from "../policy/match-rule.ts";
import { CallWatch } from "./call-watch.ts";
import { elicitApproval } from "./elicit-approval.ts";
import { OpenQuestions } from "./open-questions.ts";
import { OwnRuns } from "./own-runs.ts";

/** Most clients give up on a call after 45 to 60 s; a waiting result must reach them before (MCPS-3). */
const longestCallMs = 40_000;

/** A client asks for its tools right after it connected; servers get this long to be named in the description. */
const serversReadyMs = 3_000;

/** What the MCP surface is made from. */
export type McpSurfaceParts = {
  readonly config: GatewayConfig;
  /** Of the whole host; the surface narrows the time of one call. */
  readonly codeModeConfig: ResolvedCodeModeConfig;
  readonly tools: OpenedTools;
  readonly executor: ToolExecutor;
  readonly namespaces: PluginNamespaces;
  readonly approvals: ApprovalDesk;
  readonly observer: CellObserver | undefined;
  openCodeMode(options: {
    config: ResolvedCodeModeConfig;
    tools: (scope: RunScope) => ToolSet;
    observer: CellObserver;
  }): CodeModeRuntime;
};

/**
 * What MCP clients get, over stdio and HTTP alike (MCPS-1): always `exec` and `wait`, whatever the configuration shows its
 * own models, and the direct-only tools that it names. Has a runtime of its own, because its calls must be shorter.
 */
export class McpSurface implements AsyncDisposable {
  readonly #parts: McpSurfaceParts;
  readonly #codeModeConfig: ResolvedCodeModeConfig;
  readonly #watch = new CallWatch();
  readonly #ownRuns = new OwnRuns();
  readonly #questions: OpenQuestions;
  readonly #shown = new WeakMap<ToolSet, ToolSet>();
  #codeMode: CodeModeRuntime | undefined;

  constructor(parts: McpSurfaceParts) {
    this.#parts = parts;
    const { codeModeConfig } = parts;
    const timeoutMs = Math.min(codeModeConfig.timeoutMs, longestCallMs);
    this.#codeModeConfig = { ...codeModeConfig, enabled: true, timeoutMs };
    this.#questions = new OpenQuestions({
      attend: (scope, person) => this.attend(scope, person),
      ttlSeconds: codeModeConfig.snapshotTtlSeconds,
    });
  }

  /** Seconds that a suspended program lives. */
  get snapshotTtlSeconds(): number {
    return this.#codeModeConfig.snapshotTtlSeconds;
  }

  /** Suspended cells of all clients. */
  suspendedRuns(): readonly SuspendedRunInfo[] {
    return this.#codeMode?.suspendedRuns() ?? [];
  }

  /** Lets the person behind a client decide about its calls until the returned function is called (MCPS-4). */
  attend({ sessionId }: RunScope, person: ApprovalPerson): () => void {
    return this.#parts.approvals.attend(sessionId, person);
  }

  /** Lets the user of a stdio client of 2025 decide, where the client offers to ask. */
  attendStdio(server: Server, scope: RunScope): () => void {
    const timeoutMs = this.snapshotTtlSeconds * 1000;
    return this.attend(
      scope,
      elicitApproval(server, { openCall: () => undefined, isListening: () => true, timeoutMs }),
    );
  }

  /** What a server face is made from; `signal` ends the waiting for servers that are starting. */
  faceOptions(signal?: AbortSignal): McpServerFaceOptions {
    return {
      modelTools: (scope) => this.modelTools(scope, signal),
      callBudget: { timeoutMs: this.#codeModeConfig.timeoutMs, longestMs: longestCallMs },
      watchCall: (call, report) => this.#watch.watch(call, report),
      questions: this.#questions,
      onToolsChange: (listener) => this.#parts.tools.onChange(listener),
    };
  }

  /** The tools of one client. */
  async modelTools(scope: RunScope, signal?: AbortSignal): Promise<readonly ModelTool[]> {
    const { tools, executor, namespaces } = this.#parts;
    const codeMode = this.#open();
    await tools.settled(serversReadyMs, signal);
    await codeMode.ready();
    const catalog = codeMode.catalog(scope);
    const modelTools = createModelTools({
      codeMode,
      catalog,
      config: this.#codeModeConfig,
      namespaces: namespaces.texts(catalog),
      directTools: this.#toolSet(scope).tools.filter(isDirectOnly),
      callDirectTool: (tool, input, options) => callDirectTool(executor, tool, input, options),
      mcpBudgetMs: this.#codeModeConfig.timeoutMs,
    });
    return modelTools.map((tool) =>
      tool.kind === "control" ? this.#ownRuns.guard(this.#reminding(withApprovalText(tool))) : tool,
    );
  }

  /** With a call there is a way to the client's user again, for questions that came up while there was none. */
  #reminding(control: ModelTool): ModelTool {
    return {
      ...control,
      call: (input, options = {}) => {
        if (options.scope !== undefined) this.#parts.approvals.remind(options.scope.sessionId);
        return control.call(input, options);
      },
    };
  }

  /** Ends what a client left behind: cells, their calls, kept results. */
  async endSession(scope: RunScope): Promise<void> {
    this.#ownRuns.end(scope.sessionId);
    this.#questions.endSession(scope.sessionId);
    this.#parts.approvals.closeSession(scope.sessionId);
    await this.#codeMode?.endRun(scope);
    await this.#codeMode?.endSession(scope.sessionId);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#codeMode?.[Symbol.asyncDispose]();
  }

  #open(): CodeModeRuntime {
    this.#codeMode ??= this.#parts.openCodeMode({
      config: this.#codeModeConfig,
      tools: (scope) => this.#toolSet(scope),
      observer: bothOf(this.#watch, this.#parts.observer),
    });
    return this.#codeMode;
  }

  /** Without direct-only tools that are not named; the same object for the same set, which keeps its catalog. */
  #toolSet(scope: RunScope): ToolSet {
    const all = this.#parts.tools.of(scope);
    const rules = this.#parts.config.mcpServer.directTools;
    const isShown = (tool: CodeModeTool): boolean =>
      !isDirectOnly(tool) || rules.some((rule) => matchesRule(tool, rule));
    if (all.tools.every(isShown)) return all;
    let shown = this.#shown.get(all);
    if (shown === undefined) {
      shown = { ...all, tools: all.tools.filter(isShown) };
      this.#shown.set(all, shown);
    }
    return shown;
  }
}

/** Models do not know that a person decides elsewhere; the pending call itself says how. */
const approvalText =
  'A pending call with status "awaiting_approval" waits for a person: unless your client asks, tell the user that `codemode approvals approve <approvalId>` (or deny) decides it, then wait again.';

function withApprovalText(control: ModelTool): ModelTool {
  return control.name === "wait" ? { ...control, description: `${control.description} ${approvalText}` } : control;
}

function isDirectOnly(tool: CodeModeTool): boolean {
  return tool.catalogMode === "direct-only";
}

function bothOf(first: CellObserver, second: CellObserver | undefined): CellObserver {
  if (second === undefined) return first;
  return {
    onCellEvent: (event: CellEvent) => {
      first.onCellEvent(event);
      second.onCellEvent(event);
    },
  };
}
