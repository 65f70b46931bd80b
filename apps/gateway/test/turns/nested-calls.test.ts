import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { chatCall, chatText } from "../provider/wire-replies.ts";
import { type OpenTurns, openTurns } from "./open-turns.ts";

const owned = globalThis as { testSeen?: unknown[]; testGate?: unknown };
const plugin = fileURLToPath(new URL("./scope-plugin.mjs", import.meta.url));
const counter = fileURLToPath(new URL("./counter-plugin.mjs", import.meta.url));

async function run(code: string, request: object = {}): Promise<OpenTurns> {
  owned.testSeen = [];
  const config = { plugins: [plugin], tools: { codeMode: true } };
  const open = await openTurns({ replies: [chatCall("exec", { code }, "outer"), chatText("done")], config });
  await open.turns.run("s", { message: "go", sender: "ann", channel: "web", ...request });
  return open;
}

it("NEST-1 a nested call keeps who asked, where and in which run, passes the hooks and reports progress", async () => {
  await using open = await run("return await tools.whoami({ a: 1 })");
  const started = open.events().find(({ type }) => type === "turn_started");
  const nested = open.events().find(({ type }) => type === "call_started");
  const context = {
    agentId: "main",
    sessionId: "s",
    sessionKey: "main:s",
    runId: started?.agentRunId,
    sender: "ann",
    channel: "web",
    toolCallId: nested?.id,
    parentToolCallId: "outer",
  };
  expect(owned.testSeen).toEqual([
    { hook: "before", parent: "outer", sender: "ann", sessionId: "s" },
    { tool: context, input: { a: 1, rewritten: true } },
    { hook: "after", toolId: "openclaw:scope:whoami" },
  ]);
  expect(open.results()).toMatchObject([{ status: "completed", value: context }]);
  const progress = open.events().filter(({ type }) => type === "call_progress");
  expect(JSON.stringify(progress)).toContain("half way");
});

it("NEST-1 policy of the request and approvals hold for nested calls as for others", async () => {
  await using denied = await run(
    "return [Object.keys(tools).includes('whoami'), await tools.call('openclaw:scope:whoami', {}).catch((e) => e.code)]",
    {
      tools: { deny: ["whoami"] },
    },
  );
  await using unknown = await run("return await tools.call('openclaw:scope:nothing', {}).catch((e) => e.code)");
  const [[isVisible, refusal], code] = [denied, unknown].map(
    (open) => (open.results()[0] as { value: unknown }).value,
  ) as [[boolean, string], string];
  expect([isVisible, refusal]).toEqual([false, code]);
  await using asked = await run("return await tools.hold({}).catch((e) => e.code)");
  expect(asked.results()).toMatchObject([{ value: "approval_denied" }]);
  expect(owned.testSeen).toEqual([]);
});

it("NEST-1 the sandbox of an agent holds for nested calls", async () => {
  const code = "return [Object.keys(tools), await tools.call('openclaw:scope:whoami', {}).catch((e) => e.code)]";
  const config = {
    plugins: [plugin],
    agents: { boxed: { sandbox: { mode: "all" as const } } },
    tools: { codeMode: true, sandbox: { tools: { deny: ["whoami"] } } },
  };
  await using open = await openTurns({
    replies: (index) => (index % 2 === 0 ? chatCall("exec", { code }) : chatText("ok")),
    config,
  });
  owned.testSeen = [];
  for (const agent of ["main", "boxed"]) await open.turns.run(agent, { message: "go", agent });
  const values = ["main", "boxed"].map((id) => (open.results(id)[0] as { value: [string[], unknown] }).value);
  expect(values.map(([names]) => names.includes("whoami"))).toEqual([true, false]);
  expect(values[1]?.[1]).toBe("unknown_tool");
  expect(owned.testSeen.filter((seen) => typeof seen === "object" && seen !== null && "tool" in seen)).toHaveLength(1);
});

it("NEST-1 the abort of a turn reaches the tool of a nested call", async () => {
  const reached = Promise.withResolvers<void>();
  owned.testGate = () => reached.resolve();
  const replies = [chatCall("exec", { code: "return await tools.gate({})" }), chatText("never")];
  await using open = await openTurns({ replies, config: { plugins: [counter], tools: { codeMode: true } } });
  const turn = open.turns.start("s", { message: "go" });
  await reached.promise;
  expect(open.turns.abort("s", "enough")).toBe(true);
  await expect(turn.done).rejects.toMatchObject({ code: "aborted" });
  expect(open.events().filter(({ type }) => type === "call_ended")).toMatchObject([
    { toolId: "openclaw:counter:gate", outcome: { ok: false, started: true } },
  ]);
  expect(open.turns.abort("s")).toBe(false);
});

it("NEST-2 nested calls stand in the transcript as calls of their own, with parent, tool, input and outcome", async () => {
  await using open = await run("const a = await tools.whoami({ a: 1 }); await tools.whoami({ b: 2 }); return a.sender");
  const types = open.events().map(({ type }) => type);
  expect(types.indexOf("call_started")).toBeGreaterThan(types.indexOf("tool_call"));
  expect(types.lastIndexOf("call_ended")).toBeLessThan(types.indexOf("tool_result"));
  const started = open.events().filter(({ type }) => type === "call_started");
  const ended = open.events().filter(({ type }) => type === "call_ended");
  expect(started).toMatchObject([
    { parentId: "outer", toolId: "openclaw:scope:whoami", input: { a: 1 } },
    { parentId: "outer", toolId: "openclaw:scope:whoami", input: { b: 2 } },
  ]);
  expect(ended.map(({ id }) => id)).toEqual(started.map(({ id }) => id));
  expect(ended[0]).toMatchObject({ parentId: "outer", outcome: { ok: true, value: { sender: "ann" } } });
});

it("LIFE-3 a cell that waits is removed with the agent run that made it", async () => {
  let runId = "";
  const open = await openTurns({
    replies: (index) => {
      if (index === 0) return chatCall("exec", { code: "await yield_control('later'); return 1" });
      if (index === 1) return chatText("enough");
      return index === 2 ? chatCall("wait", { runId }) : chatText("gone");
    },
  });
  await using _open = open;
  await open.turns.run("s", { message: "go" });
  const [waiting] = open.results() as { status: string; runId: string }[];
  expect(waiting?.status).toBe("waiting");
  runId = waiting?.runId ?? "";
  await open.turns.run("s", { message: "go on" });
  expect(open.results()[1]).toMatchObject({ status: "failed", code: "invalid_input" });
});
