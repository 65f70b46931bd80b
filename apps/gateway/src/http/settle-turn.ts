import type { ClientCall, ClientRun } from "../client-tools/client-run.ts";
import type { Turn, TurnAnswer } from "../turns/turn.ts";

/** What a request for JSON gets: the answer of the turn, or the calls that the client has to answer first. */
export type SettledTurn =
  | TurnAnswer
  | {
      readonly status: "client_calls";
      readonly sessionId: string;
      readonly agentRunId: string;
      readonly calls: readonly ClientCall[];
    };

/** Resolves when the turn has ended or waits for its client; rejects with what made it fail. */
export async function settleTurn(turn: Turn, run: ClientRun | undefined): Promise<SettledTurn> {
  if (run === undefined) return turn.done;
  const { sessionId, agentRunId } = turn;
  const { promise, resolve } = Promise.withResolvers<SettledTurn>();
  const off = run.onBatch((calls) => resolve({ status: "client_calls", sessionId, agentRunId, calls }));
  try {
    return await Promise.race([promise, turn.done]);
  } finally {
    off();
  }
}
