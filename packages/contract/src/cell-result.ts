import type { CodeModeErrorCode } from "./error-codes.ts";
import type { JsonObject, JsonValue } from "./json.ts";

/** One item that the guest appended with `text`, `json` or `console.*` (OUT-1). */
export type CodeModeOutput = { type: "text"; text: string } | { type: "json"; value: JsonValue };

/** A value kept on the host because it did not fit; `results.load(id)` in a later cell returns it (GUEST-8). */
export type ResultReference = { id: string; bytes: number; count?: number; shape: string; preview: string };

type Base = { output?: CodeModeOutput[]; hint?: string; telemetry: CodeModeTelemetry };
type Cut = { truncated?: true; omittedBytes?: number; reference?: ResultReference };

/** The program ended; a program that returned nothing has `value: null`. */
export type CodeModeCompletedResult = Base & Cut & { status: "completed"; value: JsonValue };

/** The program is suspended; `wait({runId})` continues it. */
export type CodeModeWaitingResult = Base & {
  status: "waiting";
  runId: string;
  reason: "pending_tools" | "yield";
  yieldReason?: string;
  pendingToolCalls?: CodeModePendingToolCall[];
  restartSafe?: true;
};

/** Where in the submitted source an error happened; lines and columns count from 1. */
export type SourcePosition = { line: number; column: number; frame: string };

/** The program did not end well, or the input was refused. */
export type CodeModeFailedResult = Base &
  Cut & {
    status: "failed";
    error: string;
    code?: CodeModeErrorCode;
    position?: SourcePosition;
    details?: JsonObject;
  };

/** What `exec` and `wait` return (EXEC-8). */
export type CodeModeResult = CodeModeCompletedResult | CodeModeWaitingResult | CodeModeFailedResult;

/** A nested call that has not settled; in call order, without its input. */
export type CodeModePendingToolCall = {
  callId: string;
  id: string;
  name: string;
  elapsedMs: number;
  status: "queued" | "running" | "awaiting_approval";
  approvalId?: string;
  message?: string;
};

/** Counters of the agent run's catalog and of this cell (TEL-1). */
export type CodeModeTelemetry = {
  catalogSize: number;
  sources: { openclaw: number; mcp: number; client: number };
  searchCount: number;
  describeCount: number;
  callCount: number;
  visibleTools: string[];
  calls?: { completed: number; failed: number; pending: number; notStarted: number };
  snapshotBytes?: number;
};
