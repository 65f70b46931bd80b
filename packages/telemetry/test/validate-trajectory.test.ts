import { readFileSync } from "node:fs";
import type { CellEvent, CodeModeTelemetry, RunScope } from "@code-mode/contract";
import { expect, it } from "vitest";
import { CellFacts, trajectoryJsonSchema, trajectoryTypes, validateTrajectory } from "../src/index.ts";

const scope: RunScope = { agentId: "main", sessionId: "s", sessionKey: "k", agentRunId: "r" };
const telemetry: CodeModeTelemetry = {
  catalogSize: 1,
  sources: { openclaw: 1, mcp: 0, client: 0 },
  searchCount: 0,
  describeCount: 0,
  callCount: 1,
  visibleTools: ["exec", "wait"],
};
const of = (type: string, facts: object = {}): object => ({ type, agentRunId: "r", ...facts });
const nested = { cellId: "c", callId: "n", toolId: "t", parentToolCallId: "e" };
const cells: readonly CellEvent[] = [
  { type: "cell_started", cellId: "c", toolCallId: "e", scope, code: "1", language: "javascript" },
  { type: "call_started", ...nested, input: {} },
  { type: "call_progress", ...nested, update: { type: "progress", message: "half" } },
  {
    type: "cell_result",
    cellId: "c",
    toolCallId: "e",
    result: { status: "waiting", runId: "c", reason: "pending_tools", telemetry },
    durationMs: 1,
  },
  { type: "cell_resumed", cellId: "c", toolCallId: "w", scope },
  { type: "call_ended", ...nested, outcome: { ok: true, value: 1, executedInput: {} }, durationMs: 1 },
  {
    type: "cell_result",
    cellId: "c",
    toolCallId: "w",
    result: { status: "completed", value: null, telemetry },
    durationMs: 1,
  },
];

/** A whole turn: one program that suspends once. */
function wholeTurn(): Record<string, unknown>[] {
  const facts = new CellFacts();
  const told = cells.map((event) => facts.ofEvent(event));
  const call = (toolCallId: string, name: string) => of("tool_call", { toolCallId, name, input: {} });
  const answer = (toolCallId: string, name: string) =>
    of("tool_result", { toolCallId, name, result: {}, durationMs: 1 });
  const events = [
    of("turn_started", { agentId: "main", message: "go" }),
    of("model_request", { step: 1, tools: ["exec"] }),
    call("e", "exec"),
    ...told.slice(0, 4),
    answer("e", "exec"),
    call("w", "wait"),
    ...told.slice(4),
    answer("w", "wait"),
    of("text", { text: "done" }),
    of("turn_ended", { status: "completed", text: "done", durationMs: 1 }),
  ];
  return events.map((event, seq) => ({ seq, at: "2026-01-01T00:00:00.000Z", ...event }));
}

const check = (events: readonly object[]) => validateTrajectory(events.map((event) => JSON.stringify(event)));

/** The turn without its lines of one kind, numbered anew. */
function without(drop: (event: Record<string, unknown>) => boolean): Record<string, unknown>[] {
  return wholeTurn()
    .filter((event) => !drop(event))
    .map((event, seq) => ({ ...event, seq }));
}

it("TRJ-2 a turn whose nested calls are under their exec or wait is valid", () => {
  expect(check(wholeTurn())).toEqual([]);
});

it.each([
  ["a gap", wholeTurn().toSpliced(3, 1), /line 4: seq is 4, expected 3/],
  ["a nested call without its exec", without(({ type }) => type === "cell_started"), /nested call without the exec/],
  ["a nested call that ends without a start", without(({ type }) => type === "call_started"), /progress of a nested/],
  ["a wait on a cell that is not suspended", without(({ seq }) => seq === 6), /wait on a cell that is not suspended/],
  ["a result without its call", without(({ type }) => type === "tool_call"), /result of a tool call that was not/],
  ["a call outside of its turn", without(({ type }) => type === "turn_started"), /tool call outside of its turn/],
  ["a line without its fields", [{ ...wholeTurn()[0], message: undefined }], /line 1: message: /],
  ["a type that nobody knows", [{ ...wholeTurn()[0], type: "surprise" }], /line 1: type: /],
  ["two turns at once", [wholeTurn()[0], { ...wholeTurn()[0], seq: 1 }], /line 2: a turn starts inside/],
])("%s is a fault with its line", (_name, events, fault) => {
  expect(check(events as object[]).join("\n")).toMatch(fault);
});

it("a line that is no JSON is a fault, an empty one is none, and faults end at a hundred", () => {
  expect(validateTrajectory(["", "{", " "])).toEqual([expect.stringMatching(/^line 2: no JSON/)]);
  expect(validateTrajectory(Array.from({ length: 500 }, () => "x"))).toHaveLength(100);
});

it("the published trajectory.schema.json is what the validator's source generates; pnpm schema:write renews it", () => {
  const published = readFileSync(new URL("../trajectory.schema.json", import.meta.url), "utf8");
  expect(JSON.parse(published)).toEqual(JSON.parse(JSON.stringify(trajectoryJsonSchema())));
  const types = (JSON.parse(published) as { oneOf: { properties: { type: { const: string } } }[] }).oneOf.map(
    ({ properties }) => properties.type.const,
  );
  expect(types).toEqual([...trajectoryTypes]);
});
