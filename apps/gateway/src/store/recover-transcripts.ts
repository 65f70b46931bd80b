import { answerDangling } from "./answer-dangling.ts";
import { readOpenWork } from "./open-work.ts";
import type { SessionInfo, TranscriptStore } from "./transcript-store.ts";

/** A nested call that a lost cell had made. */
export type LostCall = { readonly id: string; readonly toolId: string };

/** A cell that the end of the process took, with what had already run. */
export type LostCell = {
  readonly sessionId: string;
  readonly agentRunId: string;
  readonly cellId: string;
  readonly was: "suspended" | "running";
  /** What `wait` would have named. */
  readonly runId: string | undefined;
  readonly restartSafe: boolean;
  readonly completed: readonly LostCall[];
  readonly failed: readonly LostCall[];
  /** Started and never ended: whether they had an effect is unknown. */
  readonly unfinished: readonly LostCall[];
};

/** A turn that the end of the process broke off. */
export type InterruptedTurn = {
  readonly sessionId: string;
  readonly agentId: string;
  readonly agentRunId: string;
  /** The user's message, as recorded. */
  readonly message: string;
  /** The `wait` of a `restartSafe` cell that it was in: such a turn may be rebuilt from the transcript (LIFE-7). */
  readonly recoverable: { readonly toolCallId: string; readonly runId: string; readonly cellId: string } | undefined;
};

/** What a restart found and closed. */
export type RecoverySummary = {
  readonly turns: readonly InterruptedTurn[];
  readonly cells: readonly LostCell[];
  readonly closedApprovals: number;
};

/**
 * Closes what the last process left open (GW-7): interrupted turns are marked, cells are reported lost with what had
 * run, open approvals are closed, and tool calls without an answer get one, so that the history can go on. All of it is
 * durable when this resolves; a second call finds nothing.
 * @throws CodeModeError `runtime_unavailable` when that cannot be written
 */
export async function recoverTranscripts(store: TranscriptStore): Promise<RecoverySummary> {
  const turns: InterruptedTurn[] = [];
  const cells: LostCell[] = [];
  let closedApprovals = 0;
  for (const session of store.sessions()) {
    const found = recoverSession(store, session);
    turns.push(...found.turns);
    cells.push(...found.cells);
    closedApprovals += found.closedApprovals;
  }
  await store.flush();
  return { turns, cells, closedApprovals };
}

/** What a restart found, in lines for people; none when the last process ended well. */
export function describeRecovery({ turns, cells, closedApprovals }: RecoverySummary): readonly string[] {
  const lines = turns.map(
    ({ sessionId, recoverable }) =>
      `session ${sessionId}: its turn was interrupted${recoverable === undefined ? "" : " in the wait of a restart-safe cell"}.`,
  );
  for (const { sessionId, cellId, was, completed, failed, unfinished } of cells)
    lines.push(
      `session ${sessionId}: ${was} cell ${cellId} is lost; calls completed ${completed.length}, failed ${failed.length}, unfinished ${unfinished.length}.`,
    );
  if (closedApprovals > 0) lines.push(`approvals closed: ${closedApprovals}.`);
  return lines;
}

function recoverSession(store: TranscriptStore, { id }: SessionInfo): RecoverySummary {
  const work = readOpenWork(store, id);
  const { turn } = work;
  for (const cell of work.cells) {
    const { sessionId: _sessionId, runId, ...facts } = cell;
    store.append(id, { type: "cell_lost", ...facts, ...(runId === undefined ? {} : { runId }) });
  }
  for (const facts of work.approvals)
    store.append(id, { type: "approval_closed", ...facts, state: "closed", reason: restartReason });
  if (turn !== undefined) {
    answerDangling(store, { sessionId: id, agentRunId: turn.agentRunId, cells: work.cells, opened: work.openCalls });
    store.append(id, { type: "turn_interrupted", agentRunId: turn.agentRunId, reason: restartReason });
  }
  return {
    cells: work.cells,
    closedApprovals: work.approvals.length,
    turns: turn === undefined ? [] : [{ ...turn, sessionId: id, recoverable: work.recoverable }],
  };
}

const restartReason = "the gateway was restarted";
