import type { ApprovalDecision, CodeModeTool, JsonValue, ToolRequest } from "@code-mode/contract";
import { expect, it } from "vitest";
import { type ScriptedAnswer, ScriptedApprovals, scopeOf } from "../src/index.ts";

const tool: CodeModeTool = { name: "pay", description: "", approval: "always", execute: () => null };

function requestOf(input: JsonValue): ToolRequest {
  const call = {
    callId: "c",
    cellId: "x",
    parentToolCallId: "p",
    toolId: "openclaw:core:pay",
    input,
    scope: scopeOf("s", 1),
    restartSafe: false,
  };
  return { call, tool, input };
}

function ask(approvals: ScriptedApprovals, input: JsonValue, signal = new AbortController().signal) {
  return approvals.request({ ...requestOf(input), signal, onPending: () => undefined });
}

it("only tools that always need an approval are asked about", () => {
  const approvals = new ScriptedApprovals();
  expect(approvals.needs(requestOf({}))).toBe(true);
  expect(approvals.needs({ ...requestOf({}), tool: { ...tool, approval: "never" } })).toBe(false);
});

it("a question stays open until a script answers it, each by its own number", async () => {
  const approvals = new ScriptedApprovals();
  const decisions = [ask(approvals, { n: 1 }), ask(approvals, { n: 2 })];
  expect(approvals.open).toBe(2);
  approvals.answerWith((_, index) => (index === 0 ? "deny" : "approve"));
  expect((await Promise.all(decisions)).map(({ approved }) => approved)).toEqual([false, true]);
  expect([approvals.open, approvals.asked.length]).toEqual([0, 2]);
});

it("a grant is good once and only for exactly the input that was asked about", async () => {
  const approvals = new ScriptedApprovals(() => "approve");
  const granted = async (): Promise<string | undefined> => {
    const decision: ApprovalDecision = await ask(approvals, { n: 1 });
    return decision.approved ? decision.approvalId : undefined;
  };
  const first = await granted();
  expect(approvals.confirm(requestOf({ n: 2 }), first)).toBe(false);
  expect(approvals.confirm(requestOf({ n: 1 }), first)).toBe(false);
  const second = await granted();
  expect(approvals.confirm(requestOf({ n: 1 }), second)).toBe(true);
  expect(approvals.confirm(requestOf({ n: 1 }), second)).toBe(false);
  expect(approvals.confirm(requestOf({ n: 1 }), undefined)).toBe(false);
});

it("the human expires, fails, or approves after something else", async () => {
  const gate = Promise.withResolvers<void>();
  const answers: readonly ScriptedAnswer[] = ["expire", "throw", { approveAfter: gate.promise }];
  const approvals = new ScriptedApprovals((_, index) => answers[index]);
  expect(await ask(approvals, {})).toEqual({ approved: false, code: "approval_expired" });
  await expect(ask(approvals, {})).rejects.toThrow("on fire");
  const late = ask(approvals, {});
  expect(approvals.open).toBe(1);
  gate.resolve();
  expect(await late).toMatchObject({ approved: true });
});

it("a question that nobody answers ends with its call", async () => {
  const approvals = new ScriptedApprovals(() => "hang");
  const abort = new AbortController();
  const decision = ask(approvals, {}, abort.signal);
  abort.abort();
  expect(await decision).toEqual({ approved: false, code: "approval_expired" });
});
