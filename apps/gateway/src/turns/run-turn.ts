import { CodeModeError, type JsonValue, type ModelTool, type RunScope } from "@code-mode/contract";
import { generateText, jsonSchema, type LanguageModel, type ModelMessage, type ToolSet, tool } from "ai";
import { answerToolCalls, type RequestedCall } from "./answer-tool-calls.ts";
import { FailureStreak } from "./failure-streak.ts";
import type { TurnEvent } from "./turn-event.ts";

/** What one turn needs. */
export type TurnParts = {
  readonly scope: RunScope;
  readonly model: LanguageModel;
  readonly tools: readonly ModelTool[];
  readonly instructions: string | undefined;
  /** Most model requests of the turn. */
  readonly maxSteps: number;
  readonly signal: AbortSignal;
  emit(event: TurnEvent): void;
};

/** How a turn ended; `added` are the messages that the history gains. */
export type TurnOutcome = { readonly text: string; readonly steps: number; readonly added: readonly ModelMessage[] };

/**
 * The agent loop: asks the model, runs the tools it calls, until it answers without a call.
 * @throws CodeModeError when the model goes on for more than `maxSteps` requests or fails three times in the same way
 */
export async function runTurn(history: readonly ModelMessage[], parts: TurnParts): Promise<TurnOutcome> {
  const added: ModelMessage[] = [];
  const offered = offer(parts.tools);
  const failures = new FailureStreak();
  for (let step = 1; step <= parts.maxSteps; step++) {
    parts.signal.throwIfAborted();
    parts.emit({
      type: "model_request",
      agentRunId: parts.scope.agentRunId,
      step,
      tools: parts.tools.map(({ name }) => name),
    });
    const reply = await generateText({
      model: parts.model,
      tools: offered,
      messages: [...history, ...added],
      abortSignal: parts.signal,
      ...(parts.instructions === undefined ? {} : { instructions: parts.instructions }),
    });
    added.push(...reply.responseMessages);
    if (reply.text !== "") parts.emit({ type: "text", agentRunId: parts.scope.agentRunId, text: reply.text });
    if (reply.toolCalls.length === 0) return { text: reply.text, steps: step, added };
    const calls = reply.toolCalls.map(
      (call): RequestedCall => ({
        toolCallId: call.toolCallId,
        name: call.toolName,
        input: call.input as JsonValue,
        ...faultOf(call, reply.finishReason),
      }),
    );
    failures.note(calls);
    const answers = await answerToolCalls(calls, parts);
    added.push(...unanswered(answers, added));
  }
  throw new CodeModeError(
    "internal_error",
    `the model called tools in ${parts.maxSteps} requests and gave no final answer. Raise agents.<id>.maxTurns or simplify the task.`,
  );
}

function offer(tools: readonly ModelTool[]): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, inputSchema }) => [
      name,
      tool({ description, inputSchema: jsonSchema(inputSchema as object) }),
    ]),
  );
}

/** A truncated or unparsable call is not executed; the model is told why (PRV-2). */
function faultOf(call: { invalid?: boolean | undefined; error?: unknown }, finishReason: string): { fault?: string } {
  if (finishReason === "length")
    return { fault: "the call was cut off by the output limit and did not run. Send a shorter program." };
  if (call.invalid === true)
    return {
      fault: "the arguments are not valid JSON for this tool and it did not run. Send them again as one JSON object.",
    };
  return {};
}

/** The library answers calls it could not parse by itself; each call must have exactly one result. */
function unanswered(answers: readonly ModelMessage[], added: readonly ModelMessage[]): readonly ModelMessage[] {
  const answered = new Set(
    added.flatMap((message) =>
      message.role === "tool" ? message.content.map((part) => ("toolCallId" in part ? part.toolCallId : "")) : [],
    ),
  );
  return answers.filter(
    (message) =>
      message.role !== "tool" ||
      !message.content.every((part) => "toolCallId" in part && answered.has(part.toolCallId)),
  );
}
