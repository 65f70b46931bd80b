import { cutToBytes, type GuestFailure, type TurnFault } from "@code-mode/bridge";
import type { CodeModeErrorCode, JsonObject, SourcePosition } from "@code-mode/contract";
import { assertNever } from "@code-mode/contract";
import { bodyFirstLineShift, cellFileName } from "@code-mode/supervisor";
import { codeFrame, firstUserFrame, sourcePosition } from "@code-mode/transform/positions";
import type { Cell } from "./cell.ts";
import type { CellEnd } from "./cell-end.ts";

/** A failure as the result tells it. */
export type Failure = {
  readonly code: CodeModeErrorCode;
  readonly error: string;
  readonly position?: SourcePosition;
  readonly details?: JsonObject;
};

/** Share of the output budget that an error message may take. */
const maxErrorBytes = 4096;

/** What to tell the model about a cell that did not end well. */
export function describeEnd(cell: Cell, end: Exclude<CellEnd, { kind: "done" | "suspend" }>): Failure {
  const failure = describe(cell, end);
  return { ...failure, error: cutToBytes(failure.error, Math.min(maxErrorBytes, cell.config.maxOutputBytes)) };
}

function describe(cell: Cell, end: Exclude<CellEnd, { kind: "done" | "suspend" }>): Failure {
  switch (end.kind) {
    case "fault":
      return describeFault(cell, end.fault);
    case "lost":
      return describeLost(cell, end.end);
    case "error":
      return {
        code: end.error.code,
        error: end.error.message,
        ...(end.error.details === undefined ? {} : { details: end.error.details }),
      };
    case "snapshot":
      return describeSnapshot(cell, end);
    default:
      return assertNever(end);
  }
}

function describeFault(cell: Cell, fault: TurnFault): Failure {
  switch (fault.kind) {
    case "guest":
      return describeGuest(cell, fault.failure);
    case "invalid_source":
      return describeSource(cell, fault);
    case "timeout":
      return timeout(cell);
    case "aborted":
      return { code: "aborted", error: "the program was aborted; its pending calls were cancelled" };
    case "memory":
      return memory(cell);
    case "never_settles":
      return {
        code: "guest_error",
        error:
          "the program never settles: it awaits a promise, but no tool call, timer or job is left that could settle it. Resolve the promise, or do not await it.",
      };
    case "engine":
      return {
        code: "internal_error",
        error: `the engine failed: ${fault.message}. The next program gets a fresh one.`,
      };
    default:
      return assertNever(fault);
  }
}

function describeGuest(cell: Cell, failure: GuestFailure): Failure {
  const frame = firstUserFrame(failure.stack, cellFileName);
  const position = frame === undefined ? undefined : positionOf(cell, frame);
  const facts: JsonObject = {
    ...(failure.code === undefined ? {} : { code: failure.code }),
    ...(failure.toolId === undefined ? {} : { toolId: failure.toolId }),
    ...(failure.details === undefined ? {} : { details: failure.details as JsonObject }),
  };
  const text = failure.name === "" ? failure.message : `${failure.name}: ${failure.message}`;
  return {
    code: failure.fromHost === true ? "tool_error" : "guest_error",
    error: withPosition(text, position),
    ...(position === undefined ? {} : { position }),
    ...(Object.keys(facts).length === 0 ? {} : { details: facts }),
  };
}

function describeSource(cell: Cell, fault: Extract<TurnFault, { kind: "invalid_source" }>): Failure {
  if (fault.line === undefined || fault.column === undefined) return { code: "invalid_input", error: fault.message };
  const { line, column } = fault;
  // What the parser found is already a position of the submitted text; only the engine's must be mapped.
  const position =
    fault.generated === true
      ? sourcePosition(cell.input.code, cell.prepared?.positions ?? [], line, column)
      : { line, column, frame: codeFrame(cell.input.code, line, column) };
  return { code: "invalid_input", error: withPosition(fault.message, position), position };
}

function positionOf(cell: Cell, frame: { line: number; column: number }): SourcePosition {
  const column = frame.line === 1 ? Math.max(1, frame.column - bodyFirstLineShift) : frame.column;
  return sourcePosition(cell.input.code, cell.prepared?.positions ?? [], frame.line, column);
}

function withPosition(text: string, position: SourcePosition | undefined): string {
  return position === undefined ? text : `${text} (line ${position.line}, column ${position.column})`;
}

function describeLost(cell: Cell, end: Extract<CellEnd, { kind: "lost" }>["end"]): Failure {
  if (end === "watchdog") return cell.signal.aborted ? describeFault(cell, { kind: "aborted" }) : timeout(cell);
  if (end === "out_of_memory") return memory(cell);
  return {
    code: "runtime_unavailable",
    error:
      "the worker that ran the program ended unexpectedly. Other programs are not affected; run it again if its calls may be repeated.",
  };
}

function describeSnapshot(cell: Cell, { reason, bytes, message }: Extract<CellEnd, { kind: "snapshot" }>): Failure {
  if (reason === "engine") return { code: "internal_error", error: `the program could not be suspended: ${message}` };
  const limit = cell.config.maxSnapshotBytes;
  return {
    code: "snapshot_limit_exceeded",
    error: `the suspended program would take at least ${bytes} bytes, at most ${limit} are allowed (maxSnapshotBytes). Keep less data in variables while tools run: save large values with results.save(value), or process them in smaller parts.`,
    details: { bytes, limit },
  };
}

function timeout(cell: Cell): Failure {
  const timeoutMs = cell.budget?.totalMs ?? cell.config.timeoutMs;
  const since = cell.budget?.fromReceipt === true ? " from the receipt of the call" : "";
  return {
    code: "timeout",
    error: `the program was still computing after ${timeoutMs} ms (timeoutMs)${since} and was ended. Do less work per program, or await tools instead of looping.`,
    details: { timeoutMs },
  };
}

function memory(cell: Cell): Failure {
  const limit = cell.config.memoryLimitBytes;
  return {
    code: "memory_limit_exceeded",
    error: `the program needed more than ${limit} bytes of memory (memoryLimitBytes) and was ended. Keep less data at once: filter early, work in pages.`,
    details: { limit },
  };
}
