import { validateTrajectory } from "@code-mode/telemetry";
import { expect, it } from "vitest";
import type { Host } from "../../src/compose.ts";
import { resolveConfig } from "../../src/config/load-config.ts";
import { openGateway } from "../../src/open-gateway.ts";
import { RunRules } from "../../src/policy/run-rules.ts";
import { fillExpressions } from "../../src/provider/fill-expressions.ts";
import { Models } from "../../src/provider/models.ts";
import { startScriptedModel } from "../../src/provider/start-scripted-model.ts";
import { createMemoryTranscriptStore } from "../../src/store/memory-transcript-store.ts";
import { SessionLog } from "../../src/store/session-log.ts";
import type { SessionEvent } from "../../src/store/transcript-store.ts";
import { createReplayTools } from "../../src/trajectory/replay-tools.ts";
import { toJsonLines } from "../../src/trajectory/to-json-lines.ts";
import { type Replay, toReplayScript } from "../../src/trajectory/to-replay-script.ts";
import { TurnRunner } from "../../src/turns/turn-runner.ts";
import { TemporaryFolder } from "../temporary-folder.ts";

const program = [
  "await yield_control('half');",
  "const first = await tools.read({ path: 'a.txt' });",
  "const gone = await tools.read({ path: 'none.txt' }).catch((error) => error.code);",
  "text('said ${results[0].value} and $${message}');",
  "return { text: first.content, gone };",
].join("\n");

/** Runs two turns of a real gateway: programs that suspend, fail and call tools, and a call that no tool answers. */
async function recordSession(): Promise<readonly SessionEvent[]> {
  using folder = new TemporaryFolder();
  folder.write("a.txt", "hello from the file");
  const steps = [
    { text: "Let me look.", toolCalls: [{ name: "exec", input: { code: program.replaceAll("${", "$$${") } }] },
    { toolCalls: [{ name: "wait", input: { runId: "${results[0].runId}" } }] },
    {
      toolCalls: [
        { name: "exec", input: { code: "throw new Error('no')" } },
        { name: "nothing", input: {} },
      ],
    },
    { text: "It says ${results[1].value.text}" },
    { toolCalls: [{ name: "exec", input: { code: "return 1 +" } }] },
    { text: "second answer" },
  ];
  folder.write("script.json5", JSON.stringify({ steps }));
  const providers = { s: { api: "scripted" as const, script: "./script.json5" } };
  const input = { models: { default: "s/x", providers }, tools: { codeMode: true } };
  const store = createMemoryTranscriptStore();
  await using gateway = await openGateway({
    config: resolveConfig(input, { baseDir: folder.path }),
    token: "a-token-of-this-test",
    store,
    http: { port: 0 },
  });
  await gateway.turns.run("s", { message: "What does it say?" });
  await gateway.turns.run("s", { message: "And now?" });
  await gateway.sessions.flush();
  return store.events("s");
}

/** Plays a session again: a scripted model and recorded answers, no tool and no runtime. */
async function play({ script, turns }: Replay): Promise<readonly SessionEvent[]> {
  await using model = await startScriptedModel(script);
  const provider = { api: "openai-chat" as const, baseUrl: model.baseUrl };
  const config = resolveConfig({ models: { default: "s/x", providers: { s: provider } } }, { baseDir: "/" });
  await using models = new Models(config);
  const sessions = new SessionLog(createMemoryTranscriptStore());
  let index = 0;
  const host = {
    config,
    codeMode: undefined,
    runs: new RunRules(),
    activate: async () => ({
      tools: createReplayTools(turns[index] as Replay["turns"][number]),
      assertBody: () => undefined,
    }),
  } as unknown as Host;
  await using runner = new TurnRunner({ host, models, sessions });
  for (; index < turns.length; index++) await runner.run("again", { message: turns[index]?.message ?? "" });
  await sessions.flush();
  return sessions.events("again");
}

/** What the model saw and said. */
function modelVisible(events: readonly SessionEvent[]): unknown[] {
  return events.flatMap(({ type, message, text, name, input, result, tools, status }): unknown[] => {
    if (type === "turn_started") return [{ type, message }];
    if (type === "model_request") return [{ type, tools }];
    if (type === "text") return [{ type, text }];
    if (type === "tool_call") return [{ type, name, input }];
    if (type === "tool_result") return [{ type, name, result }];
    return type === "turn_ended" ? [{ type, status, text }] : [];
  });
}

it("TRJ-1 a session plays again without any tool or model call and equals the original in all that the model saw", async () => {
  const original = await recordSession();
  const replayed = await play(toReplayScript(original));
  expect(modelVisible(replayed)).toEqual(modelVisible(original));
  expect(original.filter(({ type }) => type === "call_started")).toHaveLength(2);
  expect(replayed.filter(({ type }) => /^(cell|call)_/.test(type))).toEqual([]);
  expect(original.find(({ type }) => type === "tool_call")).toMatchObject({ input: { code: program } });
});

it("TRJ-2 the trajectory of a real session is valid: nested calls are under their exec or wait, over a suspension", async () => {
  const events = await recordSession();
  expect(validateTrajectory(toJsonLines(events).split("\n"))).toEqual([]);
  const calls = events.filter(({ type }) => type === "tool_call");
  const nested = events.filter(({ type }) => type === "call_started");
  expect(nested.map(({ parentId }) => calls.find(({ toolCallId }) => toolCallId === parentId)?.name)).toEqual([
    "wait",
    "wait",
  ]);
  const first = events.find(({ type }) => type === "cell_result");
  const { status, runId } = (first?.result ?? {}) as { status?: string; runId?: string };
  expect([status, calls[1]?.input]).toEqual(["waiting", { runId }]);
  expect(events.find(({ type }) => type === "cell_resumed")?.cellId).toBe(first?.cellId);
});

it("what looks like an expression of a script is played as the text it was", () => {
  const texts = [
    "${results[0].value}",
    "$${message}",
    "$$${results[-1]['x']} ${results[\"a b\"].c} ${results.map((x) => x)} ${messages} ${other}",
    "a $ b ${ ${message} $",
  ];
  const events = texts.map((code, seq) => ({
    seq,
    at: "",
    type: "tool_call",
    toolCallId: `${seq}`,
    name: "exec",
    input: { code, nested: [code] },
  }));
  const calls = toReplayScript(events).script.steps.flatMap(({ toolCalls = [] }) => toolCalls);
  const facts = { results: [], message: "" };
  expect(calls.map(({ input }) => fillExpressions(input, facts))).toEqual(
    texts.map((code) => ({ code, nested: [code] })),
  );
});

it("broken arguments are played as text, cut-off replies as cut off, and replies that say nothing have no step", () => {
  const of = (type: string, facts: object) => ({ seq: 0, at: "", type, ...facts }) as unknown as SessionEvent;
  const { script } = toReplayScript([
    of("turn_started", { agentId: "main", message: "go" }),
    of("model_request", { step: 1, tools: ["exec"] }),
    of("model_response", { finishReason: "length" }),
    of("tool_call", { toolCallId: "1", name: "exec", input: '{"code": "re' }),
    of("model_request", { step: 2, tools: ["exec"] }),
    of("model_response", { finishReason: "stop" }),
    of("model_request", { step: 3, tools: ["exec"] }),
    of("text", { text: "half", interrupted: true }),
    of("model_request", { step: 4, tools: ["exec"] }),
    of("text", { text: "done" }),
  ]);
  expect(script.steps).toEqual([
    { finishReason: "length", toolCalls: [{ name: "exec", arguments: '{"code": "re' }] },
    { text: "done" },
  ]);
});

it("a replay that asks for what was never recorded is told so instead of getting another answer", async () => {
  const calls = [
    { name: "exec", input: { code: "1" }, result: 1 },
    { name: "exec", input: { code: "2" }, result: 2 },
  ];
  const [exec] = createReplayTools({ agentId: "main", message: "", tools: ["exec"], calls });
  expect(await exec?.call({ code: "1" })).toBe(1);
  await expect(exec?.call({ code: "1" })).rejects.toMatchObject({ code: "invalid_input" });
  expect(await exec?.call({ code: "2" })).toBe(2);
});
