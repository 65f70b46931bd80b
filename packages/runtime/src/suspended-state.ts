import type { PackedVm, PreparedInfo } from "@code-mode/bridge";
import { CodeModeError, type JsonObject, type StoredSnapshot } from "@code-mode/contract";
import type { Cell } from "./cell.ts";

/** What of a cell goes into the store beside the blob: plain JSON, nothing that lives only in a closure. */
export function toSnapshot(cell: Cell, packed: PackedVm, templateId: string): StoredSnapshot {
  const state: JsonObject = {
    rootPointer: packed.rootPointer,
    nextSequence: cell.nextSequence,
    outputUse: cell.outputUse,
    yielded: cell.yielded,
    timerDueAt: cell.timerDueAt ?? null,
    prepared: (cell.prepared ?? null) as JsonObject | null,
    pending: cell.calls.pending().map(({ callId, id, name, status }) => ({ callId, id, name, status })),
  };
  return { blob: packed.bytes, state: { version: 1, templateId, scope: cell.scope, cell: state } };
}

/**
 * Puts a stored snapshot back into its cell.
 * @throws CodeModeError `internal_error` when it belongs to another engine image or version
 */
export function restoreSnapshot(cell: Cell, { blob, state }: StoredSnapshot, templateId: string): void {
  if (state.version !== 1 || state.templateId !== templateId)
    throw new CodeModeError(
      "internal_error",
      "the suspended program belongs to another version of the engine and cannot be resumed",
    );
  const stored = state.cell as {
    rootPointer: number;
    nextSequence: number;
    outputUse: Cell["outputUse"];
    yielded: boolean;
    timerDueAt: number | null;
    prepared: PreparedInfo | null;
  };
  cell.packed = { bytes: blob, rootPointer: stored.rootPointer };
  cell.nextSequence = stored.nextSequence;
  cell.outputUse = stored.outputUse;
  cell.yielded = stored.yielded;
  cell.timerDueAt = stored.timerDueAt ?? undefined;
  cell.prepared = stored.prepared ?? undefined;
}
