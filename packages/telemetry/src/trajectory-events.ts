import { z } from "zod";

const text = z.string();
const count = z.int().min(0);
const json = z.json();
const run = { agentRunId: text.describe("The turn that it belongs to.") };
const cell = { id: text.describe("The exec or wait call."), cellId: text };
const nested = {
  id: text.describe("The nested call."),
  parentId: text
    .optional()
    .describe("The exec or wait call that it belongs to; absent for a call of the model itself."),
  cellId: text,
  toolId: text,
};
const scope = z.looseObject({ agentId: text, sessionId: text, sessionKey: text, agentRunId: text });
const callError = z.looseObject({ name: text, message: text, code: text });
const outcome = z.union([
  z.looseObject({ ok: z.literal(true), value: json }),
  z.looseObject({ ok: z.literal(false), started: z.boolean(), error: callError }),
]);
const result = z.discriminatedUnion("status", [
  z.looseObject({ status: z.literal("completed"), value: json }),
  z.looseObject({ status: z.literal("waiting"), runId: text, reason: z.enum(["pending_tools", "yield"]) }),
  z.looseObject({ status: z.literal("failed"), error: text, code: text.optional() }),
]);
const lostCalls = z.array(z.looseObject({ id: text, toolId: text }));
const decision = { ...run, cellId: text, callId: text, parentToolCallId: text, toolId: text };
const approval = { approvalId: text, ...decision };

/** Every type of the trajectory with its fields; further fields are allowed. */
const fields = {
  turn_started: { ...run, agentId: text, message: text },
  model_request: { ...run, step: count, tools: z.array(text), model: text.optional() },
  model_retry: { ...run, step: count, attempt: count, delayMs: z.number(), reason: text },
  model_response: {
    ...run,
    step: count,
    model: text,
    finishReason: text,
    usage: z.looseObject({ inputTokens: z.number(), outputTokens: z.number() }),
    ms: z.number(),
  },
  model_corrected: { ...run, step: count, text },
  text: { ...run, text, interrupted: z.boolean().optional() },
  client_calls: {
    ...run,
    calls: z.array(z.looseObject({ toolCallId: text, name: text })).describe("Calls that the client itself answers."),
  },
  tool_call: { ...run, toolCallId: text, name: text, input: json },
  tool_result: { ...run, toolCallId: text, name: text, result: json, durationMs: z.number() },
  turn_ended: { ...run, status: z.enum(["completed", "failed", "aborted"]), text, durationMs: z.number() },
  turn_interrupted: { ...run, reason: text },
  cell_started: { ...cell, scope, language: text, code: text.describe("The program, verbatim but for known secrets.") },
  cell_resumed: { ...cell, scope },
  cell_result: { ...cell, result, durationMs: z.number() },
  cell_lost: {
    ...run,
    cellId: text,
    runId: text.optional(),
    was: z.enum(["suspended", "running"]),
    completed: lostCalls,
    failed: lostCalls,
    unfinished: lostCalls.describe("Calls that may or may not have had an effect."),
  },
  call_started: { ...nested, input: json },
  call_progress: { ...nested, update: z.looseObject({ type: text }) },
  call_ended: { ...nested, outcome, durationMs: z.number() },
  call_recorded: { ...nested, toolName: text, input: json, outcome, startedAt: text, durationMs: z.number() },
  approval_requested: { ...approval, toolName: text, input: json, expiresAt: text },
  approval_decided: { ...approval, approved: z.boolean(), by: text, reason: text.optional() },
  approval_closed: { ...approval, state: z.enum(["expired", "closed"]), reason: text },
  policy_denied: { ...decision, level: text, key: text },
  message: { text },
} satisfies Readonly<Record<string, z.ZodRawShape>>;

/** A type of the trajectory's vocabulary. */
export type TrajectoryType = keyof typeof fields;

/** Every type of the trajectory. */
export const trajectoryTypes = Object.keys(fields) as readonly TrajectoryType[];

const common = { seq: count.describe("Counts from 0 without gap in each session."), at: z.iso.datetime() };

/** One line of a session's trajectory. */
export const trajectoryEvent = z.discriminatedUnion("type", [
  eventOf("turn_started"),
  ...trajectoryTypes.slice(1).map((type) => eventOf(type)),
]);

function eventOf(type: TrajectoryType): z.ZodObject {
  return z.looseObject({ ...common, type: z.literal(type), ...fields[type] });
}

/** JSON Schema (2020-12) of one line, from the same source as the validator; published as `trajectory.schema.json`. */
export function trajectoryJsonSchema(): { [key: string]: unknown } {
  return {
    title: "One line of a session's trajectory",
    ...z.toJSONSchema(trajectoryEvent, { target: "draft-2020-12" }),
  };
}
