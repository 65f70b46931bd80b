import { assertNever, type CellEvent, type CellObserver } from "@code-mode/contract";
import type { FaceCall } from "@code-mode/mcp";

type WatchedCell = { toolCallId: string; readonly pending: Map<string, string> };

/** Follows the cells of MCP clients: tells which exec or wait call drives a cell, what is pending, and reports nested calls. */
export class CallWatch implements CellObserver {
  readonly #cells = new Map<string, WatchedCell>();
  readonly #cellOf = new Map<string, string>();
  readonly #reports = new Map<string, (message: string) => void>();

  /** Reports the nested calls of one exec or wait call, one line each, until the returned function is called. */
  watch({ toolCallId }: Pick<FaceCall, "toolCallId">, report: (message: string) => void): () => void {
    this.#reports.set(toolCallId, report);
    return () => void this.#reports.delete(toolCallId);
  }

  onCellEvent(event: CellEvent): void {
    switch (event.type) {
      case "cell_started":
      case "cell_resumed":
        this.#drive(event.cellId, event.toolCallId);
        break;
      case "call_started":
        this.#cells.get(event.cellId)?.pending.set(event.callId, event.toolId);
        this.#report(event.cellId, `${event.toolId} started`);
        break;
      case "call_progress":
        this.#report(event.cellId, progressLine(event));
        break;
      case "call_ended":
        this.#report(event.cellId, endLine(event));
        this.#endCall(event.cellId, event.callId);
        break;
      case "cell_result":
        this.#settle(event.cellId, event.toolCallId, event.result.status === "waiting");
        break;
      default:
        assertNever(event);
    }
  }

  #drive(cellId: string, toolCallId: string): void {
    const cell = this.#cells.get(cellId);
    if (cell === undefined) this.#cells.set(cellId, { toolCallId, pending: new Map() });
    else cell.toolCallId = toolCallId;
    this.#cellOf.set(toolCallId, cellId);
  }

  #endCall(cellId: string, callId: string): void {
    const cell = this.#cells.get(cellId);
    cell?.pending.delete(callId);
    if (cell?.pending.size === 0 && !this.#cellOf.has(cell.toolCallId)) this.#cells.delete(cellId);
  }

  /** Only a cell that is driven or has calls pending is followed: the end of an expired one is never told. */
  #settle(cellId: string, toolCallId: string, waiting: boolean): void {
    this.#cellOf.delete(toolCallId);
    if (!waiting || this.#cells.get(cellId)?.pending.size === 0) this.#cells.delete(cellId);
  }

  #report(cellId: string, message: string | undefined): void {
    const cell = this.#cells.get(cellId);
    if (cell !== undefined && message !== undefined) this.#reports.get(cell.toolCallId)?.(message);
  }
}

function progressLine({ toolId, update }: CellEvent & { type: "call_progress" }): string | undefined {
  if (update.type === "awaiting_approval") return `${toolId} awaits approval ${update.approvalId ?? ""}`.trim();
  return update.message === undefined ? undefined : `${toolId}: ${update.message}`;
}

function endLine({ toolId, outcome, durationMs }: CellEvent & { type: "call_ended" }): string {
  const how = outcome.ok ? "done" : `failed: ${outcome.error.message}`;
  return `${toolId} ${how} (${Math.round(durationMs)} ms)`;
}
