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

  /** Nested calls that the cell of an exec or wait call has running now. */
  pendingCalls(toolCallId: string): number {
    return this.#cells.get(this.#cellOf.get(toolCallId) ?? "")?.pending.size ?? 0;
  }

  onCellEvent(event: CellEvent): void {
    switch (event.type) {
      case "cell_started":
      case "cell_resumed":
        return this.#drive(event.cellId, event.toolCallId);
      case "call_started":
        this.#cells.get(event.cellId)?.pending.set(event.callId, event.toolId);
        return this.#report(event.cellId, `${event.toolId} started`);
      case "call_progress":
        if (event.update.type === "awaiting_approval")
          return this.#report(event.cellId, `${event.toolId} awaits approval ${event.update.approvalId ?? ""}`.trim());
        if (event.update.message === undefined) return;
        return this.#report(event.cellId, `${event.toolId}: ${event.update.message}`);
      case "call_ended": {
        const how = event.outcome.ok ? "done" : `failed: ${event.outcome.error.message}`;
        this.#report(event.cellId, `${event.toolId} ${how} (${Math.round(event.durationMs)} ms)`);
        return this.#endCall(event.cellId, event.callId);
      }
      case "cell_result":
        return this.#settle(event.cellId, event.toolCallId, event.result.status === "waiting");
      default:
        return assertNever(event);
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

  #report(cellId: string, message: string): void {
    const cell = this.#cells.get(cellId);
    if (cell !== undefined) this.#reports.get(cell.toolCallId)?.(message);
  }
}
