import type { CodeModeTool, ModelTool, RunScope } from "@code-mode/contract";
import { expect, it } from "vitest";
import type { ClientCall, ClientRun } from "../../src/client-tools/client-run.ts";
import { ClientRuns } from "../../src/client-tools/client-runs.ts";
import { toolContext } from "../tool-context.ts";

const scope: RunScope = { agentId: "main", sessionId: "s", sessionKey: "main:s", agentRunId: "r" };
const pick = { name: "pick", description: "Pick a file" };
const show = { name: "show", description: "Show a text" };

function opened(answerTtlMs = 60_000): { runs: ClientRuns; run: ClientRun } {
  const runs = new ClientRuns({ answerTtlMs });
  return { runs, run: runs.open(scope, [pick, show]) };
}

function toolOf(run: ClientRun, name: string): CodeModeTool {
  return run.tools.find((tool) => tool.name === name) as CodeModeTool;
}

function nextBatch(run: ClientRun): Promise<readonly ClientCall[]> {
  return new Promise((resolve) => {
    const off = run.onBatch((calls) => {
      off();
      resolve(calls);
    });
  });
}

it("GW-2 calls that start together go to the client as one batch, later ones when it is answered", async () => {
  const { run } = opened();
  const first = nextBatch(run);
  const a = toolOf(run, "pick").execute({ kind: "text" }, toolContext());
  const b = toolOf(run, "show").execute({ text: "x" }, toolContext());
  const calls = await first;
  expect(calls.map(({ name, input }) => [name, input])).toEqual([
    ["pick", { kind: "text" }],
    ["show", { text: "x" }],
  ]);
  const second = nextBatch(run);
  const c = toolOf(run, "pick").execute({ kind: "image" }, toolContext());
  expect(run.batch).toHaveLength(2);
  run.answer(calls.map(({ toolCallId }, index) => ({ toolCallId, output: index })));
  expect(await Promise.all([a, b])).toEqual([0, 1]);
  const [call] = await second;
  run.answer([{ toolCallId: call?.toolCallId ?? "", output: { path: "p" } }]);
  expect(await c).toEqual({ path: "p" });
});

it("GW-2 unknown, foreign, repeated and partial sets are refused and leave the calls open", async () => {
  const { runs, run } = opened();
  const first = nextBatch(run);
  const answers = [toolOf(run, "pick").execute({}, toolContext()), toolOf(run, "show").execute({}, toolContext())];
  const ids = (await first).map(({ toolCallId }) => toolCallId);
  const refusal = (wanted: readonly string[], agentId = "main"): string => {
    try {
      runs.find(wanted, { agentId });
      return "found";
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  expect(refusal(["call_guessed"])).toBe("unknown_tool_call");
  expect(refusal(ids, "other")).toBe("unknown_tool_call");
  expect(refusal(ids.slice(0, 1))).toBe("partial_tool_results");
  expect(refusal([...ids, "call_guessed"])).toBe("partial_tool_results");
  expect(refusal([ids[0] ?? "", ids[0] ?? ""])).toBe("partial_tool_results");
  expect(refusal(ids.toReversed())).toBe("found");
  run.answer(ids.map((toolCallId) => ({ toolCallId, output: "done" })));
  expect(await Promise.all(answers)).toEqual(["done", "done"]);
  expect(refusal(ids)).toBe("unknown_tool_call");
});

it("GW-2 ids are unguessable and differ", async () => {
  const { run } = opened();
  const first = nextBatch(run);
  const aborts = new AbortController();
  const calls = Array.from({ length: 50 }, () =>
    Promise.resolve(toolOf(run, "pick").execute({}, toolContext([], aborts.signal))).catch(() => "aborted"),
  );
  const ids = (await first).map(({ toolCallId }) => toolCallId);
  expect(new Set(ids).size).toBe(50);
  expect(ids.filter((id) => !/^call_[\w-]{24}$/.test(id))).toEqual([]);
  aborts.abort();
  expect(new Set(await Promise.all(calls))).toEqual(new Set(["aborted"]));
  expect(run.batch).toEqual([]);
});

it("a client that does not answer in time fails its call, and the next one goes out", async () => {
  const { run } = opened(1);
  await expect(toolOf(run, "pick").execute({}, toolContext())).rejects.toThrow("did not answer the call of pick");
});

it("an exec call stays open while its program waits for the client, and joins the output of both parts", async () => {
  const { run } = opened();
  const waiting = {
    status: "waiting",
    runId: "cell",
    pendingToolCalls: [{ id: "client:app:pick", status: "running" }],
    output: [{ type: "text", text: "before" }],
  };
  const done = { status: "completed", value: 1, output: [{ type: "text", text: "after" }] };
  const asked: unknown[] = [];
  const control = (name: string, result: unknown): ModelTool => ({
    name,
    description: "",
    inputSchema: {},
    kind: "control",
    call: async (input) => {
      asked.push([name, input]);
      return result;
    },
  });
  const [exec] = run.hold([control("exec", waiting), control("wait", done)]);
  expect(await exec?.call({ code: "x" })).toEqual({ ...done, output: [...waiting.output, ...done.output] });
  expect(asked).toEqual([
    ["exec", { code: "x" }],
    ["wait", { runId: "cell" }],
  ]);
});

it("a client's tools are checked before the turn begins", () => {
  const runs = new ClientRuns({ answerTtlMs: 1 });
  const open = (definitions: Parameters<ClientRuns["open"]>[1]) => () => runs.open(scope, definitions);
  expect(open([{ name: "a b" }])).toThrow('clientTools[0]: the name "a b" is not allowed');
  expect(open([pick, pick])).toThrow("clientTools[1]: a second tool is named pick");
  expect(open([{ name: "x", parameters: "no" as never }])).toThrow("clientTools[0].parameters");
  expect(open(Array.from({ length: 513 }, (_, index) => ({ name: `t${index}` })))).toThrow("at most 512");
  expect(open(Array.from({ length: 512 }, (_, index) => ({ name: `t${index}` })))).not.toThrow();
});
