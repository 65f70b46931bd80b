import type { ApprovalDecision, ApprovalRequest, CodeModeTool, JsonValue, ToolRequest } from "@code-mode/contract";
import { expect, it } from "vitest";
import { ApprovalDesk } from "../../src/policy/approval-desk.ts";

const tool: CodeModeTool = { name: "send", description: "", approval: "always", execute: () => null };

function request(input: JsonValue = { to: "a" }, changed: Partial<CodeModeTool> = {}, sessionId = "s"): ToolRequest {
  const scope = { agentId: "main", sessionId, sessionKey: sessionId, agentRunId: "r" };
  const call = { callId: "c", cellId: "x", parentToolCallId: "p", toolId: "openclaw:core:send", input, scope };
  return { call: { ...call, restartSafe: false }, tool: { ...tool, ...changed }, input };
}

function desk(decision: ApprovalDecision = { approved: true }): ApprovalDesk {
  const opened = new ApprovalDesk({ tools: {} });
  opened.attend("s", { isThere: () => true, ask: async () => decision });
  return opened;
}

async function ask(
  at: ApprovalDesk,
  asked: ToolRequest,
): Promise<{ id: string | undefined; decision: ApprovalDecision }> {
  let id: string | undefined;
  const question: ApprovalRequest = {
    ...asked,
    signal: new AbortController().signal,
    onPending: (approvalId) => {
      id = approvalId;
    },
  };
  return { decision: await at.request(question), id };
}

it("APR-2 a grant is good once, for exactly the input, tool definition and session that were asked about", async () => {
  const at = desk();
  const grant = async (): Promise<string | undefined> => (await ask(at, request())).id;
  const id = await grant();
  expect([at.confirm(request(), id), at.confirm(request(), id)]).toEqual([true, false]);
  expect(at.confirm(request({ to: "b" }), await grant())).toBe(false);
  expect(at.confirm(request(undefined, { description: "now it does something else" }), await grant())).toBe(false);
  expect(at.confirm(request(undefined, {}, "other"), await grant())).toBe(false);
  expect(at.confirm(request(), undefined)).toBe(false);
});

it("APR-2 a denial grants nothing and carries its reason", async () => {
  const at = desk({ approved: false, code: "approval_denied", reason: "the user declined" });
  const { decision, id } = await ask(at, request());
  expect(decision).toMatchObject({ approved: false, reason: "the user declined" });
  expect(at.confirm(request(), id)).toBe(false);
});

it("where nobody attends the session, or the person is away, the call is denied with the way out", async () => {
  const at = new ApprovalDesk({ tools: {} });
  const leave = at.attend("s", { isThere: () => true, ask: async () => ({ approved: true }) });
  leave();
  expect((await ask(at, request())).decision).toMatchObject({
    approved: false,
    reason: expect.stringContaining("tools.approval.rules"),
  });
  at.attend("s", { isThere: () => false, ask: async () => ({ approved: true }) });
  const away = await ask(at, request());
  expect([away.decision.approved, away.id]).toEqual([false, undefined]);
});
