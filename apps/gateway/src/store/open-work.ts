import type { JsonValue } from "@code-mode/contract";
import type { InterruptedTurn, LostCall, LostCell } from "./recover-transcripts.ts";
import type { SessionEvent, TranscriptStore } from "./transcript-store.ts";

/** What a session's events began and never ended. */
export type OpenWork = {
  readonly turn: { readonly agentRunId: string; readonly agentId: string; readonly message: string } | undefined;
  readonly cells: readonly LostCell[];
  /** What was asked and never decided, as recorded. */
  readonly approvals: readonly ApprovalFacts[];
  /** Tool calls of the model without a result. */
  readonly openCalls: readonly { readonly toolCallId: string; readonly name: string }[];
  readonly recoverable: InterruptedTurn["recoverable"];
};

/** The part of an approval's events that says which call it is about. */
export type ApprovalFacts = { readonly [key: string]: JsonValue };

const approvalKeys = ["approvalId", "sessionId", "agentRunId", "cellId", "callId", "parentToolCallId", "toolId"];

const pageSize = 512;

/** Reads what the session's last turn left open; turns come one after the other, so all of it is behind its start. */
export function readOpenWork(store: TranscriptStore, sessionId: string): OpenWork {
  const reader = new OpenWorkReader(sessionId);
  for (const event of eventsOfLastTurn(store, sessionId)) reader.read(event);
  return reader.work();
}

function eventsOfLastTurn(store: TranscriptStore, sessionId: string): readonly SessionEvent[] {
  let first = store.session(sessionId)?.events ?? 0;
  let events: readonly SessionEvent[] = [];
  while (first > 0 && !events.some(({ type }) => type === "turn_started")) {
    const from = Math.max(0, first - pageSize);
    events = [...store.events(sessionId, { after: from - 1, limit: first - from }), ...events];
    first = from;
  }
  const start = events.findLastIndex(({ type }) => type === "turn_started");
  return events.slice(Math.max(0, start));
}

type CellState = {
  readonly agentRunId: string;
  runId: string | undefined;
  suspended: boolean;
  restartSafe: boolean;
  readonly calls: Map<string, { readonly toolId: string; state: "unfinished" | "completed" | "failed" }>;
};
type Fields = { readonly [key: string]: unknown };

class OpenWorkReader {
  readonly #sessionId: string;
  #turn: OpenWork["turn"];
  /** The turn was a recovery itself: what ends the process twice is not tried a third time. */
  #isRecovery = false;
  readonly #cells = new Map<string, CellState>();
  readonly #approvals = new Map<string, ApprovalFacts>();
  readonly #openCalls = new Map<string, { readonly name: string; readonly input: unknown }>();
  /** What each run id waits for, also after the wait has begun. */
  readonly #runs = new Map<string, string>();

  constructor(sessionId: string) {
    this.#sessionId = sessionId;
  }

  read(event: SessionEvent): void {
    const fields: Fields = event;
    switch (event.type) {
      case "turn_started":
        this.#turn = {
          agentRunId: text(fields.agentRunId),
          agentId: text(fields.agentId),
          message: text(fields.message),
        };
        this.#isRecovery = fields.recovers !== undefined;
        break;
      case "turn_ended":
      case "turn_interrupted":
        // cells and calls of a run end with it
        this.#turn = undefined;
        this.#cells.clear();
        this.#openCalls.clear();
        break;
      case "tool_call":
        this.#openCalls.set(text(fields.toolCallId), { name: text(fields.name), input: fields.input });
        break;
      case "tool_result":
        this.#openCalls.delete(text(fields.toolCallId));
        break;
      case "approval_requested":
        this.#approvals.set(text(fields.approvalId), approvalFacts(event));
        break;
      case "approval_decided":
      case "approval_closed":
        this.#approvals.delete(text(fields.approvalId));
        break;
      default:
        this.#readCell(event.type, fields);
    }
  }

  work(): OpenWork {
    const cells = [...this.#cells].map(([cellId, state]) => lostCell(this.#sessionId, cellId, state));
    return {
      turn: this.#turn,
      cells,
      approvals: [...this.#approvals.values()],
      openCalls: [...this.#openCalls].map(([toolCallId, { name }]) => ({ toolCallId, name })),
      recoverable: this.#turn && this.#recoverable(),
    };
  }

  #readCell(type: string, fields: Fields): void {
    const cellId = text(fields.cellId);
    const cell = this.#cells.get(cellId);
    if (type === "cell_started") {
      const { agentRunId } = (fields.scope ?? {}) as Fields;
      const state = { agentRunId: text(agentRunId), runId: undefined, suspended: false, restartSafe: false };
      this.#cells.set(cellId, { ...state, calls: new Map() });
    }
    if (type === "cell_lost") this.#cells.delete(cellId);
    if (cell === undefined) return;
    if (type === "cell_resumed") cell.suspended = false;
    if (type === "call_started") cell.calls.set(text(fields.id), { toolId: text(fields.toolId), state: "unfinished" });
    if (type === "call_ended") {
      const { ok } = (fields.outcome ?? {}) as Fields;
      cell.calls.set(text(fields.id), { toolId: text(fields.toolId), state: ok === true ? "completed" : "failed" });
    }
    if (type === "cell_result") this.#readResult(cellId, cell, (fields.result ?? {}) as Fields);
  }

  #readResult(cellId: string, cell: CellState, result: Fields): void {
    if (result.status !== "waiting") {
      this.#cells.delete(cellId);
      return;
    }
    cell.suspended = true;
    cell.runId = text(result.runId);
    cell.restartSafe = result.restartSafe === true;
    this.#runs.set(cell.runId, cellId);
  }

  #recoverable(): InterruptedTurn["recoverable"] {
    if (this.#isRecovery) return undefined;
    for (const [toolCallId, { name, input }] of this.#openCalls) {
      const { runId } = (typeof input === "object" && input !== null ? input : {}) as Fields;
      const cellId = this.#runs.get(text(runId));
      if (name !== "wait" || cellId === undefined) continue;
      if (this.#cells.get(cellId)?.restartSafe === true) return { toolCallId, runId: text(runId), cellId };
    }
    return undefined;
  }
}

function lostCell(sessionId: string, cellId: string, state: CellState): LostCell {
  const calls = (wanted: string): LostCall[] =>
    [...state.calls].filter(([, call]) => call.state === wanted).map(([id, { toolId }]) => ({ id, toolId }));
  return {
    sessionId,
    agentRunId: state.agentRunId,
    cellId,
    was: state.suspended ? "suspended" : "running",
    runId: state.runId,
    restartSafe: state.restartSafe,
    completed: calls("completed"),
    failed: calls("failed"),
    unfinished: calls("unfinished"),
  };
}

function approvalFacts(event: SessionEvent): ApprovalFacts {
  return Object.fromEntries(Object.entries(event).filter(([key]) => approvalKeys.includes(key)));
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
