import type { CodeModeResult, HookPort, JsonObject } from "@code-mode/contract";
import { expect, it } from "vitest";
import { type BugCase, type CaseCodeModeOptions, type CaseReport, runCase, scopeOf } from "../src/index.ts";
import { completed, FakeCodeMode, waiting } from "./fake-code-mode.ts";

function caseOf(input: JsonObject, expected: JsonObject): BugCase {
  return { id: "Q02", kind: "5-suspend-resume", symptom: "a test", input, expected };
}

/** A product that does with the ports what `exec` says, and answers the rest from there. */
async function play(
  bugCase: BugCase,
  exec: (options: CaseCodeModeOptions) => Promise<CodeModeResult> | CodeModeResult,
): Promise<CaseReport> {
  const create = (options: CaseCodeModeOptions): FakeCodeMode =>
    new FakeCodeMode((kind) => (kind === "exec" ? exec(options) : completed("denied")));
  return runCase(bugCase, { create });
}

async function callPay({ approvals }: CaseCodeModeOptions, input: JsonObject): Promise<boolean> {
  const scope = scopeOf("case", 1);
  const call = { callId: "c", cellId: "x", parentToolCallId: "p", toolId: "t", input, scope, restartSafe: false };
  const tool = { name: "approve_me", description: "", approval: "always" as const, execute: () => null };
  const signal = new AbortController().signal;
  const decision = await approvals?.request({ call, tool, input, signal, onPending: () => undefined });
  return decision?.approved === true;
}

it("the prose of a case decides each question of its own", async () => {
  const decided: Promise<boolean>[] = [];
  const steps = [{ exec: "x" }, { harness: "deny n=1, approve n=2" }, { wait: { runId: "$0.runId" } }];
  const report = await play(caseOf({ steps }, { eventually: { value: "denied" } }), (options) => {
    decided.push(callPay(options, { n: 1 }), callPay(options, { n: 2 }));
    return waiting("r");
  });
  expect([report.problems, await Promise.all(decided)]).toEqual([[], [false, true]]);
});

it("a rewritten argument is judged by what was executed, and a case without hooks has no hook port", async () => {
  const hooked = caseOf(
    { hooks: ["before_tool_call: add.a = 100"], code: "x" },
    { transcriptArgs: { add: { a: 100 } }, hookEvents: [{ tool: "add", agentId: "set", args: { a: 1 } }] },
  );
  const report = await play(hooked, async ({ hooks, recorder }) => {
    const port = hooks as HookPort;
    const scope = scopeOf("case", 1);
    const event = { toolId: "t", toolName: "add", input: { a: 1 } };
    const answer = await port.before(event, scope, new AbortController().signal);
    const executedInput = answer !== undefined && "input" in answer ? answer.input : null;
    const call = { callId: "c", cellId: "x", parentToolCallId: "p", toolId: "t", input: { a: 1 }, scope };
    recorder?.record({
      call: { ...call, restartSafe: false },
      toolName: "add",
      executedInput,
      outcome: { ok: true, value: 1, executedInput },
      startedAt: 0,
      durationMs: 1,
    });
    return completed(1);
  });
  expect(report.problems).toEqual([]);
  let given: HookPort | undefined;
  await play(caseOf({ code: "x" }, {}), (options) => {
    given = options.hooks;
    return completed(1);
  });
  expect(given).toBeUndefined();
});

it("a hook event that lacks its agent, or a record that kept the old argument, fails the case", async () => {
  const expected = { hookEvents: [{ tool: "add", agentId: "set" }], transcriptArgs: { add: { a: 100 } } };
  const report = await play(caseOf({ hooks: ["before_tool_call: allow all"], code: "x" }, expected), () =>
    completed(1),
  );
  expect([report.outcome, report.problems.length]).toEqual(["fail", 2]);
});
