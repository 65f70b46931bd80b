import type { CodeModeTool, JsonObject, ToolContext } from "@code-mode/contract";
import { expect, it } from "vitest";
import { type BugCase, type CaseCodeModeOptions, type CaseReport, runCase } from "../src/index.ts";
import { completed, type FakeAnswer, FakeCodeMode, failed, waiting } from "./fake-code-mode.ts";

function caseOf(input: JsonObject, expected: JsonObject): BugCase {
  return { id: "Q01", kind: "1-guest-semantics", symptom: "a test", input, expected };
}

type Played = { report: CaseReport; fake: FakeCodeMode; options: CaseCodeModeOptions | undefined };

async function play(bugCase: BugCase, answer: (tools: readonly CodeModeTool[]) => FakeAnswer): Promise<Played> {
  let options: CaseCodeModeOptions | undefined;
  let fake = new FakeCodeMode(answer([]));
  const create = (given: CaseCodeModeOptions): FakeCodeMode => {
    options = given;
    fake = new FakeCodeMode(answer(given.tools));
    return fake;
  };
  const report = await runCase(bugCase, { create });
  return { report, fake, options };
}

function call(tools: readonly CodeModeTool[], name: string, input: JsonObject): unknown {
  const tool = tools.find((candidate) => candidate.name === name);
  return tool?.execute(input, { signal: new AbortController().signal } as ToolContext);
}

it("a single program is one exec with its language and configuration, and the CodeMode is disposed of", async () => {
  const bugCase = caseOf({ language: "typescript", code: "return 1", config: { timeoutMs: 500 } }, { value: 1 });
  const { report, fake, options } = await play(bugCase, () => () => completed(1));
  expect(report.outcome).toBe("pass");
  expect(fake.calls.map(({ input }) => input)).toEqual([{ language: "typescript", code: "return 1" }]);
  expect(options?.config).toEqual({ timeoutMs: 500, enabled: true });
  expect(options?.tools.map(({ name }) => name)).toContain("counter_incr");
  expect(options?.store).toBeUndefined();
  expect(fake.isDisposed).toBe(true);
});

it("the bodies of fixture tools are counted and their side effects kept", async () => {
  const bugCase = caseOf({ code: "x" }, { ledger: { k: 2 }, toolCalls: { counter_incr: 2, add: 1, fail: 1 } });
  const { report } = await play(bugCase, (tools) => () => {
    call(tools, "counter_incr", { key: "k" });
    expect(call(tools, "counter_incr", { key: "k" })).toBe(2);
    expect(call(tools, "add", { a: 2, b: 5 })).toEqual({ sum: 7 });
    expect(() => call(tools, "fail", { message: "no" })).toThrow("no");
    return completed(1);
  });
  expect(report.problems).toEqual([]);
});

it("tools and MCP tools of the case replace the fixtures and answer as declared", async () => {
  const input = {
    code: "x",
    tools: [{ name: "e", echo: true }],
    mcpServers: {
      s: [
        { name: "m-x", returns: "pong" },
        { name: "f", echo: true },
      ],
    },
  };
  const { report, options } = await play(caseOf(input, { toolCalls: { e: 1, "m-x": 1 } }), (tools) => () => {
    expect(call(tools, "e", { a: 1 })).toEqual({ a: 1 });
    expect(call(tools, "m-x", {})).toEqual({ content: [{ type: "text", text: "pong" }] });
    expect(call(tools, "f", { a: 1 })).toEqual({ content: [{ type: "text", text: 'f {"a":1}' }] });
    return completed(1);
  });
  expect(report.problems).toEqual([]);
  expect(options?.tools.map(({ origin }) => origin?.kind)).toEqual(["core", "mcp", "mcp"]);
});

const parked = { exec: { code: "await yield_control()" } };

it("a wait names the run of an earlier step, in the session that it says", async () => {
  const input = { steps: [parked, { wait: { runId: "$0.runId", session: "other" } }, { wait: { runId: "$0.runId" } }] };
  const expected = { steps: [{ status: "waiting" }, { code: "invalid_input" }, { value: 1 }] };
  const { report, fake } = await play(caseOf(input, expected), () => (kind, _, { sessionId }) => {
    if (kind === "exec") return waiting("run-7");
    return sessionId === "other" ? failed("invalid_input", "another session") : completed(1);
  });
  expect(report.problems).toEqual([]);
  expect(fake.calls.slice(1)).toMatchObject([
    { kind: "wait", input: { runId: "run-7" }, sessionId: "other" },
    { kind: "wait", input: { runId: "run-7" }, sessionId: "case" },
  ]);
});

it("a wait for a cell that completed at once is not sent, its result counts again", async () => {
  const input = { steps: [parked, { wait: { runId: "$0.runId" } }] };
  const expected = { steps: [{ statusOneOf: ["waiting", "completed"] }, { status: "completed", value: 42 }] };
  const { report, fake } = await play(caseOf(input, expected), () => () => completed(42));
  expect(report.outcome).toBe("pass");
  expect(fake.calls).toHaveLength(1);
});

it("eventually waits as often as it takes, and every call counts", async () => {
  let rounds = 0;
  const expected = { eventually: { status: "completed", value: 3 }, modelToolCallsMax: 4 };
  const { report } = await play(
    caseOf({ code: "x" }, expected),
    () => () => (rounds++ < 3 ? waiting("r") : completed(3)),
  );
  expect(report.problems).toEqual([]);
});

it("a result with a foreign key fails the case whatever it says", async () => {
  const odd = { ...completed(1), extra: true } as unknown as ReturnType<typeof completed>;
  const { report } = await play(caseOf({ code: "x" }, { value: 1 }), () => () => odd);
  expect(report).toMatchObject({ outcome: "fail", problems: ["a completed result has the key extra"] });
});

it("an exec that throws fails the case", async () => {
  const { report } = await play(caseOf({ code: "x" }, {}), () => () => Promise.reject(new Error("boom")));
  expect(report).toMatchObject({ outcome: "fail", problems: ["Error: boom"] });
});

it.each<[string, JsonObject, RegExp]>([
  ["a provider stream", { providerStream: [] }, /provider/],
  ["prose for a gateway", { steps: [{ harness: "restart gateway" }] }, /restart gateway/],
  ["an MCP process", { code: "x", mcpServers: { s: { tools: ["f"] } } }, /server process/],
  ["a policy", { code: "x", config: { tools: { deny: ["add"] } } }, /policy/],
  ["hooks that nobody understands", { code: "x", hooks: ["on_message: sing"] }, /hooks/],
])("a case with %s is planned and never played", async (_, input, reason) => {
  const { report, fake } = await play(caseOf(input, {}), () => () => completed(1));
  expect(report.outcome).toBe("planned");
  expect(report.problems.join()).toMatch(reason);
  expect(fake.calls).toEqual([]);
});

it("a new turn ends the agent run and waits under the next one", async () => {
  const input = { steps: [parked, { harness: "end turn; new user message" }, { wait: { runId: "$0.runId" } }] };
  const { fake } = await play(
    caseOf(input, {}),
    () => (kind) => (kind === "exec" ? waiting("r") : failed("invalid_input", "gone")),
  );
  expect(fake.endedRuns).toEqual(["case-1"]);
  expect(fake.calls.map(({ agentRunId }) => agentRunId)).toEqual(["case-1", "case-2"]);
});

it("run ids are collected from cells of runs that end", async () => {
  let count = 0;
  const expected = { unique: 5, regex: "^id-" };
  const { report, fake } = await play(
    caseOf({ steps: [{ harness: "collect 5 runIds" }] }, expected),
    () => () => waiting(`id-${count++}`),
  );
  expect(report.problems).toEqual([]);
  expect(fake.endedRuns).toHaveLength(5);
});

it("configurations are resolved by the contract", async () => {
  const input = { configs: [{ timeoutMs: 5 }, { timeoutMs: "fast" }], observe: "effective configuration" };
  const { report } = await play(
    caseOf(input, { effective: [{ timeoutMs: 100 }, "config error or default 10000"] }),
    () => () => completed(1),
  );
  expect(report).toMatchObject({ outcome: "pass", problems: [] });
});
