import type { CodeModeTool, RunScope } from "@code-mode/contract";

/** What a host counts for a session. */
export type SessionCounts = {
  readonly createdAt?: string;
  readonly turns?: number;
  readonly events?: number;
  readonly suspendedCells?: number;
  readonly pendingApprovals?: number;
};

/** Tells what is known of a session; nothing when no session is kept. */
export type SessionStatusPort = (
  scope: Pick<RunScope, "agentId" | "sessionId" | "agentRunId">,
) => SessionCounts | undefined;

/** The core tool `session_status`: where the agent is, as plain data. */
export function createSessionStatusTool(sessionStatus: SessionStatusPort | undefined): CodeModeTool {
  return {
    name: "session_status",
    label: "Session status",
    description: "The session, agent and turn of this call, with what the session has counted so far.",
    parameters: { type: "object", properties: {}, additionalProperties: false },
    outputSchema: {
      type: "object",
      properties: {
        sessionId: { type: "string" },
        agentId: { type: "string" },
        agentRunId: { type: "string", description: "The turn that is under way." },
        counts: {
          type: "object",
          properties: {
            createdAt: { type: "string" },
            turns: { type: "integer" },
            events: { type: "integer" },
            suspendedCells: { type: "integer" },
            pendingApprovals: { type: "integer" },
          },
          additionalProperties: false,
        },
      },
      required: ["sessionId", "agentId", "agentRunId", "counts"],
      additionalProperties: false,
    },
    replaySafe: true,
    execute: (_input, { sessionId, agentId, agentRunId }) => ({
      sessionId,
      agentId,
      agentRunId,
      counts: { ...sessionStatus?.({ sessionId, agentId, agentRunId }) },
    }),
  };
}
