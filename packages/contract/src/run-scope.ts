/** Whose work a cell is. `agentRunId` is one turn up to its final answer; a session is the conversation. */
export type RunScope = {
  agentId: string;
  sessionId: string;
  sessionKey: string;
  agentRunId: string;
  sender?: string;
  channel?: string;
};
