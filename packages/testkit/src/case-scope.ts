import type { RunScope } from "@code-mode/contract";

/** A run scope of the case's agent: sessions are named, turns are numbered. */
export function scopeOf(session: string, turn: number): RunScope {
  return { agentId: "main", sessionId: session, sessionKey: session, agentRunId: `${session}-${turn}` };
}
