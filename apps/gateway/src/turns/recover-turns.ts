import { type CodeModeTool, messageOf } from "@code-mode/contract";
import { isReplaySafe } from "@code-mode/runtime";
import { toolId } from "../policy/tool-id.ts";
import type { InterruptedTurn } from "../store/recover-transcripts.ts";
import type { RunningTurn } from "./running-turn.ts";
import type { TurnRunner } from "./turn-runner.ts";

/** What recovery works with. */
export type RecoverTurnsParts = {
  readonly turns: TurnRunner;
  /** Every tool there is, before any rule. */
  readonly known: readonly CodeModeTool[];
  log(message: string): void;
};

/**
 * Goes on with the turns that a restart interrupted in the `wait` of a `restartSafe` program (LIFE-7): rebuilt from the
 * transcript, never from a snapshot. Such a turn may call only what may run twice: read-only core tools and plugin tools
 * that declare `replaySafe`.
 */
export function recoverTurns(
  interrupted: readonly InterruptedTurn[],
  { turns, known, log }: RecoverTurnsParts,
): readonly RunningTurn[] {
  const allow = known.filter(mayRunAgain).map(toolId);
  return interrupted.flatMap(({ sessionId, agentId, agentRunId, message, recoverable }) => {
    if (recoverable === undefined) return [];
    try {
      const turn = turns.start(sessionId, { agent: agentId, message, recovers: agentRunId, tools: { allow } });
      log(`recovered: session ${sessionId}: goes on with its turn, with replay-safe tools only.`);
      return [turn];
    } catch (error) {
      log(`warning: session ${sessionId}: its turn cannot go on: ${messageOf(error)}`);
      return [];
    }
  });
}

function mayRunAgain(tool: CodeModeTool): boolean {
  return tool.origin?.kind !== "mcp" && isReplaySafe(tool);
}
