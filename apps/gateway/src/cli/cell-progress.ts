import { assertNever, type CellEvent, type CellObserver } from "@code-mode/contract";
import { colorsFor, printNote } from "./terminal.ts";

/** Tells on stderr what nested calls do while a cell runs. */
export function createCellProgress(): CellObserver {
  const colors = colorsFor(process.stderr);
  return {
    onCellEvent(event) {
      const line = lineOf(event);
      if (line !== undefined) printNote(colors.dim(line));
    },
  };
}

function lineOf(event: CellEvent): string | undefined {
  switch (event.type) {
    case "call_started":
      return `→ ${event.toolId}`;
    case "call_progress":
      return event.update.message === undefined ? undefined : `… ${event.toolId}: ${event.update.message}`;
    case "call_ended":
      return event.outcome.ok
        ? `✓ ${event.toolId} ${Math.round(event.durationMs)} ms`
        : `✗ ${event.toolId} ${Math.round(event.durationMs)} ms: ${event.outcome.error.message}`;
    case "cell_started":
    case "cell_resumed":
    case "cell_result":
      return undefined;
    default:
      return assertNever(event);
  }
}
