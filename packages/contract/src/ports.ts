import type { CodeModeResult } from "./cell-result.ts";
import type { JsonObject, JsonValue } from "./json.ts";
import type { RunScope } from "./run-scope.ts";
import type { CodeModeTool } from "./tool.ts";

/** A host failure as the guest gets it: plain data, never a host object or stack. */
export type GuestError = { name: string; message: string; code: string; toolId?: string; details?: JsonObject };

/** One call of a catalogued tool, made by guest code or directly by the model. */
export type NestedCall = {
  callId: string;
  cellId: string;
  parentToolCallId: string;
  toolId: string;
  input: JsonValue;
  scope: RunScope;
  restartSafe: boolean;
};

/** How a call ended; `started` says whether the tool itself ran. */
export type NestedOutcome =
  | { ok: true; value: JsonValue; executedInput: JsonValue }
  | { ok: false; started: boolean; error: GuestError };

/** What happens to a call while it runs. */
export type NestedUpdate = {
  type: "started" | "progress" | "awaiting_approval";
  message?: string;
  approvalId?: string;
};

/**
 * Options of one execution. `tool` is the tool as the caller's catalog has it: a call of a tool that has another
 * definition by now is refused (MCP-7, MCPC-3).
 */
export type ExecuteOptions = { signal: AbortSignal; onUpdate(update: NestedUpdate): void; tool?: CodeModeTool };

/** The one path of every tool call (NEST-4). Never rejects. */
export interface ToolExecutor {
  execute(call: NestedCall, options: ExecuteOptions): Promise<NestedOutcome>;
}

/** A call with the tool it resolved to, as policy, hooks and approvals see it. */
export type ToolRequest = { readonly call: NestedCall; readonly tool: CodeModeTool; readonly input: JsonValue };

/** Decides whether a tool may run at all; asked before hooks and again right before execution. */
export interface PolicyPort {
  check(request: ToolRequest): { readonly allow: true } | { readonly allow: false; readonly reason: string };
}

/** Hook event of a call (PLG-2). The outer exec and wait calls carry `toolKind` (EXEC-6). */
export type HookEvent = {
  readonly toolId: string;
  readonly toolName: string;
  readonly input: JsonValue;
  readonly toolKind?: "code_mode_exec" | "code_mode_wait";
  readonly toolInputKind?: "javascript" | "typescript";
  readonly parentToolCallId?: string;
};

/** What a before-hook may answer; nothing means "go on". */
export type HookDecision =
  | undefined
  | { readonly block: true; readonly reason: string }
  | { readonly input: JsonValue };

/** Hooks of all plugins, composed. A hook that throws or takes longer than 5 s blocks the call. */
export interface HookPort {
  before(event: HookEvent, scope: RunScope, signal: AbortSignal): Promise<HookDecision>;
  after(event: HookEvent & { readonly outcome: NestedOutcome }, scope: RunScope): Promise<void>;
}

/** What a human is asked. */
export type ApprovalRequest = ToolRequest & { readonly signal: AbortSignal; onPending(approvalId: string): void };

/** A decision. */
export type ApprovalDecision =
  | { readonly approved: true; readonly approvalId?: string }
  | { readonly approved: false; readonly code: "approval_denied" | "approval_expired"; readonly reason?: string };

/** Asks a human where one is needed. `needs` is cheap and synchronous; `request` may take minutes. */
export interface ApprovalPort {
  needs(request: ToolRequest): boolean;
  request(request: ApprovalRequest): Promise<ApprovalDecision>;
  /** Asked right before execution: is the grant still good for exactly this input (APR-2)? */
  confirm(request: ToolRequest, approvalId: string | undefined): boolean;
}

/** One finished call, for transcript and audit. */
export type CallRecord = {
  readonly call: NestedCall;
  readonly toolName: string;
  readonly executedInput: JsonValue;
  readonly outcome: NestedOutcome;
  readonly startedAt: number;
  readonly durationMs: number;
};

/** Receives every finished call in order of completion; must not throw. */
export interface CallRecorder {
  record(record: CallRecord): void;
}

/** Plain-JSON state of a suspended cell; versioned so that another process can refuse what it does not know. */
export type SuspendedState = {
  readonly version: 1;
  readonly templateId: string;
  readonly scope: RunScope;
  readonly cell: JsonObject;
};

/** A suspended cell as stored: packed VM bytes plus plain JSON (see design.md, "Seams"). */
export type StoredSnapshot = { readonly blob: Uint8Array; readonly state: SuspendedState };

/** Where suspended cells rest. Addressed by run id; implementations copy what they are given. */
export interface SnapshotStore {
  put(runId: string, snapshot: StoredSnapshot): Promise<void>;
  /** Takes the snapshot out: of two concurrent claims one gets it, the other `undefined`. */
  claim(runId: string): Promise<StoredSnapshot | undefined>;
  delete(runId: string): Promise<void>;
}

/** Events of a cell, for trajectory, traces and progress display. Must not throw. */
export type CellEvent =
  | {
      readonly type: "cell_started";
      readonly cellId: string;
      readonly toolCallId: string;
      readonly scope: RunScope;
      readonly code: string;
      readonly language: string;
    }
  | { readonly type: "cell_resumed"; readonly cellId: string; readonly toolCallId: string; readonly scope: RunScope }
  | {
      readonly type: "call_started";
      readonly cellId: string;
      readonly callId: string;
      readonly toolId: string;
      readonly input: JsonValue;
      readonly parentToolCallId: string;
    }
  | {
      readonly type: "call_progress";
      readonly cellId: string;
      readonly callId: string;
      readonly toolId: string;
      readonly update: NestedUpdate;
    }
  | {
      readonly type: "call_ended";
      readonly cellId: string;
      readonly callId: string;
      readonly toolId: string;
      readonly outcome: NestedOutcome;
      readonly durationMs: number;
      readonly parentToolCallId: string;
    }
  | {
      readonly type: "cell_result";
      readonly cellId: string;
      readonly toolCallId: string;
      readonly result: CodeModeResult;
      readonly durationMs: number;
    };

/** Receives cell events. */
export interface CellObserver {
  onCellEvent(event: CellEvent): void;
}

/** A budget that counts from the receipt of the call, queueing included (MCPS-3). */
export type ReceiptBudget = {
  /** Whole budget in ms. */
  readonly ms: number;
  /** When the call was received, on the clock of `performance.now()`. */
  readonly receivedAt: number;
};

/**
 * Options of one exec or wait call; no scope means one private session. Without `budget` the call has `timeoutMs` from
 * the moment it gets a worker (WAIT-6).
 */
export type CallOptions = { scope?: RunScope; signal?: AbortSignal; toolCallId?: string; budget?: ReceiptBudget };

/** The runtime as every front end sees it. */
export interface CodeMode {
  exec(input: unknown, options?: CallOptions): Promise<CodeModeResult>;
  wait(input: unknown, options?: CallOptions): Promise<CodeModeResult>;
  endRun(scope: RunScope): Promise<void>;
  endSession(sessionId: string): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A tool as the model sees it; `call` answers with the JSON the model reads. */
export type ModelTool = {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly kind: "control" | "direct";
  call(input: unknown, options?: CallOptions): Promise<unknown>;
};
