import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createMetrics } from "../src/index.ts";
import { of, secret, tell } from "./turn-story.ts";

type SpanReport = {
  readonly name: string;
  readonly parent?: string;
  readonly traceId: string;
  readonly attributes: Record<string, unknown>;
};

const file = join(import.meta.dirname, "open-telemetry-child.ts");
const told = spawnSync(process.execPath, ["--conditions=@code-mode/source", file], { encoding: "utf8" });
if (told.status !== 0) throw new Error(told.stderr);
const { spans, points } = JSON.parse(told.stdout) as { spans: SpanReport[]; points: unknown[] };

it("TEL-3 a real OpenTelemetry SDK gets agent run, model calls, cell and nested call, each below its own", () => {
  expect(spans.map(({ name, parent }) => [name, parent])).toEqual([
    ["chat gpt-x", "invoke_agent main"],
    ["execute_tool mcp:a:b", "execute_tool exec"],
    ["execute_tool exec", "invoke_agent main"],
    ["chat gpt-x", "invoke_agent main"],
    ["invoke_agent main", undefined],
  ]);
  expect(spans[0]?.attributes).toEqual({
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "openai",
    "gen_ai.request.model": "gpt-x",
    "gen_ai.usage.input_tokens": 120,
    "gen_ai.usage.output_tokens": 30,
    "gen_ai.response.finish_reasons": ["tool-calls"],
    "code_mode.step": 1,
  });
  expect(spans[4]?.attributes).toMatchObject({
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.id": "main",
    "gen_ai.conversation.id": "s",
  });
  expect(spans.map(({ attributes }) => attributes["error.type"])).toEqual([
    undefined,
    "tool_error",
    undefined,
    "provider_error",
    "provider_error",
  ]);
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  expect(told.stdout).not.toContain(secret);
});

it("TEL-3 a real OpenTelemetry SDK gets bytes, suspends and the GenAI histograms", () => {
  const model = { "gen_ai.operation.name": "chat", "gen_ai.provider.name": "openai", "gen_ai.request.model": "gpt-x" };
  expect(points).toEqual(
    expect.arrayContaining([
      ["code_mode.source_bytes", {}, secret.length],
      ["code_mode.result_bytes", {}, secret.length + 2],
      ["code_mode.suspends", { reason: "yield" }, 1],
      ["gen_ai.client.token.usage", { ...model, "gen_ai.token.type": "input" }, 120],
      ["gen_ai.client.token.usage", { ...model, "gen_ai.token.type": "output" }, 30],
      ["gen_ai.client.operation.duration", model, 0.25],
    ]),
  );
});

it("TEL-3 the metrics of a gateway count turns, model requests and tokens beside its cells", () => {
  const metrics = createMetrics();
  tell(metrics);
  metrics.onTurnEvent("s", of("model_retry"));
  metrics.onTurnEvent("s", of("model_response", { model: 'a"b\n', usage: { inputTokens: "many" } }));
  expect(metrics.values()).toMatchObject({
    code_mode_turns_started_total: 1,
    'code_mode_turns_total{status="failed"}': 1,
    code_mode_turn_ms_total: 400,
    code_mode_model_requests_total: 2,
    code_mode_model_retries_total: 1,
    code_mode_model_ms_total: 250,
    'code_mode_tokens_total{model="openai/gpt-x",type="input"}': 120,
    'code_mode_tokens_total{model="openai/gpt-x",type="output"}': 30,
    code_mode_cells_started_total: 1,
    'code_mode_calls_total{outcome="failed"}': 1,
  });
  const text = metrics.render();
  expect(text).toContain('code_mode_tokens_total{model="a\\"b\\n",type="input"} 0\n');
  expect(text.split("\n").filter((line) => line !== "")).toSatisfy((lines: string[]) =>
    lines.every((line) =>
      /^(# (HELP|TYPE) code_mode_[a-z_]+ .+|code_mode_[a-z_]+(\{[a-z]+=".*"\})? \d+(\.\d+)?)$/.test(line),
    ),
  );
});
