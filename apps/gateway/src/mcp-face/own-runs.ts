import type { CodeModeResult, ModelTool } from "@code-mode/contract";

/** Stands in for the id of somebody else's run: no run ever has it. */
const nobodysRunId = "0".repeat(32);

/** Most ids kept of one session: those of expired programs are never taken back. */
const maxRunIds = 1_000;

/**
 * Which suspended runs each MCP session knows, so that a foreign run id reads exactly like an unknown one (MCPS-2). The
 * runtime itself tells the two apart, which helps an agent of ours but would tell a client that the run exists.
 */
export class OwnRuns {
  readonly #runsOf = new Map<string, Set<string>>();

  /** A control that notes and checks the run ids of the session it is called for. */
  guard(control: ModelTool): ModelTool {
    return {
      ...control,
      call: async (input, options = {}) => {
        const sessionId = options.scope?.sessionId ?? "";
        const result = (await control.call(this.#checked(control, input, sessionId), options)) as CodeModeResult;
        if (result.status === "waiting") this.#note(sessionId, result.runId);
        return result;
      },
    };
  }

  /** Forgets a session. */
  end(sessionId: string): void {
    this.#runsOf.delete(sessionId);
  }

  #checked(control: ModelTool, input: unknown, sessionId: string): unknown {
    if (control.name !== "wait" || typeof input !== "object" || input === null) return input;
    const { runId } = input as { runId?: unknown };
    if (typeof runId !== "string" || this.#runsOf.get(sessionId)?.has(runId) === true) return input;
    return { ...input, runId: nobodysRunId };
  }

  #note(sessionId: string, runId: string): void {
    const runs = this.#runsOf.get(sessionId) ?? new Set();
    this.#runsOf.set(sessionId, runs);
    runs.delete(runId);
    runs.add(runId);
    for (const oldest of runs) {
      if (runs.size <= maxRunIds) break;
      runs.delete(oldest);
    }
  }
}
