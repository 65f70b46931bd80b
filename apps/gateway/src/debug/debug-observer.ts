import { assertNever, type CellEvent, type CellObserver } from "@code-mode/contract";
import type { DebugLog } from "@code-mode/telemetry";

/** Says what cells and their calls do, without programs, inputs and results (DBG-1). */
export function debugObserver(log: DebugLog): CellObserver {
  return {
    onCellEvent(event) {
      const line = lineOf(event);
      if (line !== undefined) log.codeMode(...line);
    },
  };
}

function lineOf(event: CellEvent): [message: string, facts: object] | undefined {
  const { cellId } = event;
  switch (event.type) {
    case "cell_started": {
      const { agentId, sessionId } = event.scope;
      const sourceBytes = Buffer.byteLength(event.code);
      return ["cell started", { cellId, agentId, sessionId, language: event.language, sourceBytes }];
    }
    case "cell_resumed":
      return ["cell resumed", { cellId }];
    case "call_started":
      return ["call started", { cellId, toolId: event.toolId }];
    case "call_progress":
      return undefined;
    case "call_ended": {
      const { outcome, toolId, durationMs } = event;
      const code = outcome.ok ? {} : { code: outcome.error.code };
      return ["call ended", { cellId, toolId, ok: outcome.ok, ...code, ms: Math.round(durationMs) }];
    }
    case "cell_result": {
      const { status, telemetry } = event.result;
      const code = status === "failed" ? { code: event.result.code } : {};
      return ["cell result", { cellId, status, ...code, visibleTools: telemetry.visibleTools, calls: telemetry.calls }];
    }
    default:
      return assertNever(event);
  }
}
