import type { Context, Hono } from "hono";
import { z } from "zod";
import { type Approval, type ApprovalState, approvalStates } from "../policy/approval.ts";
import type { ApprovalDesk } from "../policy/approval-desk.ts";
import { approvalText } from "../policy/approval-text.ts";
import type { GatewayParts } from "./gateway-parts.ts";
import { HttpError } from "./http-error.ts";

const decisionBody = z.strictObject({
  decision: z.enum(["approve", "deny"]),
  reason: z.string().max(2_000).optional(),
  by: z.string().min(1).max(200).optional(),
});

const expected = 'Send {"decision": "approve"} or {"decision": "deny", "reason": "…"}.';

/** Adds the routes that list and decide approvals (GW-4, APR-1). */
export function mountApprovalRoutes(app: Hono, { services }: Pick<GatewayParts, "services">): void {
  if (services !== undefined) mountApprovals(app, services.approvals);
}

/** The same for a process that serves nothing but approvals. */
export function mountApprovals(app: Hono, approvals: ApprovalDesk): void {
  app.get("/api/approvals", (context) => {
    const filter = { sessionId: context.req.query("session"), state: stateOf(context) };
    return context.json({ approvals: approvals.list(filter).map(withText) });
  });
  app.get("/api/approvals/:id", (context) => {
    const approval = approvals.get(context.req.param("id"));
    if (approval === undefined) throw unknownApproval();
    return context.json(withText(approval));
  });
  app.post("/api/approvals/:id", async (context) => {
    const { decision, reason, by = "http" } = parseDecision(await context.req.text());
    const outcome = approvals.decide(context.req.param("id"), { approved: decision === "approve", by, reason });
    switch (outcome.type) {
      case "decided":
        return context.json(withText(outcome.approval));
      case "settled_before":
        throw alreadySettled(outcome.approval);
      case "unknown":
        throw unknownApproval();
    }
  });
}

/** `text`: the arguments as a person may judge them, hidden characters spelled out. */
function withText(approval: Approval): Approval & { readonly text: string } {
  return { ...approval, text: approvalText(approval.input) };
}

function stateOf(context: Context): ApprovalState | undefined {
  const state = context.req.query("state");
  if (state === undefined) return undefined;
  const known = approvalStates.find((name) => name === state);
  if (known !== undefined) return known;
  throw new HttpError(400, "invalid_input", `state: found ${state}, expected one of ${approvalStates.join(", ")}.`);
}

function parseDecision(text: string): z.infer<typeof decisionBody> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new HttpError(400, "invalid_input", `the body is no JSON. ${expected}`);
  }
  const parsed = decisionBody.safeParse(value);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => `${issue.path.join(".") || "body"}: ${issue.message}`);
  throw new HttpError(400, "invalid_input", `${faults.join("; ")}. ${expected}`);
}

function unknownApproval(): HttpError {
  return new HttpError(404, "unknown_approval", "there is no such approval; GET /api/approvals lists those there are.");
}

function alreadySettled({ state, by, reason }: Approval): HttpError {
  const who = by === undefined ? "" : ` by ${by}`;
  const why = reason === undefined ? "" : ` (${reason})`;
  return new HttpError(409, "approval_settled", `this approval is ${state} already${who}${why}; nothing was changed.`, {
    state,
  });
}
