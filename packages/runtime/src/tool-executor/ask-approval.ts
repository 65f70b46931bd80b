import type { ApprovalDecision, ApprovalPort, ApprovalRequest, GuestError, ToolRequest } from "@code-mode/contract";
import { buildRefusal, oneLine, reasonOf } from "./refusals.ts";

/** Granted (with the id to confirm right before execution) or refused. */
export type ApprovalAnswer =
  | { readonly type: "granted"; readonly approvalId: string | undefined }
  | { readonly type: "refused"; readonly error: GuestError };

/** How to ask: what ends the question, and who learns that it is open. */
export type AskOptions = { readonly signal: AbortSignal; onPending(approvalId: string): void };

/** Whether a human must be asked. Without a port only a tool that always needs one does. A failing port fails closed. */
export function needsApproval(approvals: ApprovalPort | undefined, request: ToolRequest): boolean {
  if (approvals === undefined) return request.tool.approval === "always";
  try {
    return approvals.needs(request) !== false;
  } catch {
    return true;
  }
}

/** Asks a human. Never rejects; everything that is not a clear yes refuses. */
export async function askApproval(
  approvals: ApprovalPort | undefined,
  request: ToolRequest,
  options: AskOptions,
): Promise<ApprovalAnswer> {
  if (approvals === undefined) return refused(request, "approval_denied", "nobody can be asked here");
  try {
    const question: ApprovalRequest = { ...request, signal: options.signal, onPending: (id) => options.onPending(id) };
    return readDecision(request, await approvals.request(question));
  } catch (error) {
    return refused(request, "approval_denied", `asking failed: ${reasonOf(error)}`);
  }
}

/** Whether the grant is still good for exactly this request; a failing port says no. */
export function isGrantGood(
  approvals: ApprovalPort | undefined,
  request: ToolRequest,
  approvalId: string | undefined,
): boolean {
  try {
    return approvals?.confirm(request, approvalId) === true;
  } catch {
    return false;
  }
}

/** The refusal of a grant that went stale between the decision and the execution. */
export function buildStaleGrant(request: ToolRequest): GuestError {
  return refused(request, "approval_denied", "the grant no longer matches this call; call again to ask anew").error;
}

function readDecision(request: ToolRequest, decision: ApprovalDecision | undefined): ApprovalAnswer {
  if (decision?.approved === true) return { type: "granted", approvalId: decision.approvalId };
  const code = decision?.code === "approval_expired" ? "approval_expired" : "approval_denied";
  return refused(request, code, typeof decision?.reason === "string" ? oneLine(decision.reason) : "");
}

function refused(
  request: ToolRequest,
  code: "approval_denied" | "approval_expired",
  reason: string,
): { type: "refused"; error: GuestError } {
  const what = code === "approval_expired" ? "was not approved in time" : "was not approved";
  const message = `${request.tool.name} ${what}${reason === "" ? "" : `: ${reason}`}. It did not run.`;
  return { type: "refused", error: buildRefusal(code, message, { toolId: request.call.toolId }) };
}
