import type { JsonValue } from "@code-mode/contract";

/** How far a request has come. `closed`: its call or session ended before anybody decided. */
export type ApprovalState = "pending" | "approved" | "denied" | "expired" | "closed";

/** The states that a request can have, for parsers. */
export const approvalStates = ["pending", "approved", "denied", "expired", "closed"] as const;

/** One call that a person must allow, as the person sees it (APR-1). */
export type Approval = {
  /** Unguessable: who knows it may name it, not decide it. */
  readonly id: string;
  readonly state: ApprovalState;
  readonly sessionId: string;
  readonly sessionKey: string;
  readonly agentId: string;
  readonly agentRunId: string;
  readonly sender?: string;
  readonly channel?: string;
  /** The cell that made the call; for a call that the model made itself, the id of that call. */
  readonly cellId: string;
  readonly callId: string;
  /** The `exec` or `wait` call of the cell. */
  readonly parentToolCallId: string;
  readonly toolId: string;
  readonly toolName: string;
  /** The arguments that will run. */
  readonly input: JsonValue;
  /** The tool's definition is not the one that was approved last in this session (MCPC-3). */
  readonly changed?: true;
  readonly createdAt: string;
  /** When nobody's answer counts any more. */
  readonly expiresAt: string;
  readonly decidedAt?: string;
  /** Who decided: `http`, `cli`, `elicitation`, … */
  readonly by?: string;
  readonly reason?: string;
};

/** What somebody decided. */
export type DecisionInput = {
  readonly approved: boolean;
  /** Who decides, for the record. */
  readonly by: string;
  readonly reason?: string | undefined;
};

/** What became of a decision: only the first one of a pending request counts. */
export type DecideOutcome =
  | { readonly type: "decided"; readonly approval: Approval }
  | { readonly type: "settled_before"; readonly approval: Approval }
  | { readonly type: "unknown" };

type Facts = Pick<Approval, "sessionId" | "agentRunId" | "cellId" | "callId" | "parentToolCallId" | "toolId"> & {
  readonly approvalId: string;
};

/** What happens to requests, for trajectory and audit; inputs are redacted. */
export type ApprovalEvent =
  | (Facts & {
      readonly type: "approval_requested";
      readonly toolName: string;
      readonly input: JsonValue;
      readonly expiresAt: string;
    })
  | (Facts & {
      readonly type: "approval_decided";
      readonly approved: boolean;
      readonly by: string;
      readonly reason?: string;
    })
  | (Facts & {
      readonly type: "approval_closed";
      readonly state: "expired" | "closed";
      readonly reason: string;
    });

/** Hears of approvals as they happen; must not throw. */
export type ApprovalListener = (event: ApprovalEvent) => void;

/** The part of an event that says which call it is about. */
export function approvalFacts(approval: Approval): Facts {
  const { id, sessionId, agentRunId, cellId, callId, parentToolCallId, toolId } = approval;
  return { approvalId: id, sessionId, agentRunId, cellId, callId, parentToolCallId, toolId };
}

/** What is told of a request that has ended. */
export function endEvent(approval: Approval): ApprovalEvent {
  const { state, by = "", reason } = approval;
  const facts = approvalFacts(approval);
  if (state === "expired" || state === "closed")
    return { type: "approval_closed", ...facts, state, reason: reason ?? "" };
  const why = reason === undefined ? {} : { reason };
  return { type: "approval_decided", ...facts, approved: state === "approved", by, ...why };
}
