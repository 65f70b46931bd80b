import { CodeModeError, type ModelTool, type RunScope } from "@code-mode/contract";
import type { ModelMessage } from "ai";
import type { OpenedModel } from "../provider/opened-model.ts";
import { answerToolCalls } from "./answer-tool-calls.ts";
import type { ModelReply } from "./ask-model.ts";
import { askWithRetries } from "./ask-with-retries.ts";
import { distinctCalls } from "./distinct-calls.ts";
import { FailureStreak } from "./failure-streak.ts";
import { AnswerJudge } from "./judge-answer.ts";
import { requestedCalls } from "./requested-calls.ts";
import type { RunningTurn } from "./running-turn.ts";
import type { TurnEvent } from "./turn-event.ts";
import type { UsageMeter } from "./usage-meter.ts";

/** What one turn needs. */
export type TurnParts = {
  readonly turn: Pick<RunningTurn, "addText" | "beginReply" | "endReply" | "replySoFar">;
  readonly scope: RunScope;
  readonly model: OpenedModel;
  readonly tools: readonly ModelTool[];
  readonly instructions: string | undefined;
  /** Most model requests of the turn. */
  readonly maxSteps: number;
  readonly signal: AbortSignal;
  readonly usage: UsageMeter;
  /** The whole history, with everything that was added. */
  messages(): readonly ModelMessage[];
  add(message: ModelMessage): void;
  /** Records an event; gives its number. */
  emit(event: TurnEvent): number;
  /** Resolves when everything so far is durable. */
  flush(): Promise<void>;
};

/**
 * The agent loop: asks the model, runs the tools it calls, until it answers without a call. Gives the answer.
 * @throws CodeModeError when the model goes on for more than `maxSteps` requests, fails three times in the same way or
 * has nothing to say; HttpError when the provider fails
 */
export async function runTurn(parts: TurnParts): Promise<string> {
  const failures = new FailureStreak();
  const judge = new AnswerJudge();
  const names = parts.tools.map(({ name }) => name);
  let nudge: readonly ModelMessage[] = [];
  for (let step = 1; step <= parts.maxSteps; step++) {
    parts.signal.throwIfAborted();
    const read = await ask(parts, step, nudge);
    const reply = { ...read, ...distinctCalls(read, parts.messages()) };
    nudge = [];
    if (reply.calls.length > 0) {
      keep(reply, parts);
      const calls = requestedCalls(reply.calls, { finishReason: reply.finishReason, tools: parts.tools });
      // a call that has effects must be on record before it runs, or nobody could tell after a crash
      await parts.flush();
      await answerToolCalls(calls, parts);
      failures.note(calls);
      continue;
    }
    const verdict = judge.judge(reply, names);
    if (verdict.kind === "answer" || verdict.keepReply) keep(reply, parts);
    if (verdict.kind === "answer") return reply.text;
    parts.emit({ type: "model_corrected", agentRunId: parts.scope.agentRunId, step, text: verdict.text });
    const correction: ModelMessage = { role: "user", content: verdict.text };
    // an empty reply leaves no trace in the history, and neither does the word about it
    if (verdict.keepReply) parts.add(correction);
    else nudge = [correction];
  }
  throw new CodeModeError(
    "internal_error",
    `the model called tools in ${parts.maxSteps} requests and gave no final answer. Raise agents.<id>.maxTurns or simplify the task.`,
  );
}

async function ask(parts: TurnParts, step: number, nudge: readonly ModelMessage[]): Promise<ModelReply> {
  const { turn, emit, model, tools, instructions, signal } = parts;
  const { agentRunId } = parts.scope;
  const names = tools.map(({ name }) => name);
  turn.beginReply(emit({ type: "model_request", agentRunId, step, model: model.name, tools: names }));
  const startedAt = performance.now();
  try {
    const reply = await askWithRetries(
      {
        model,
        tools,
        instructions,
        signal,
        messages: [...parts.messages(), ...nudge],
        onText: (delta) => turn.addText(delta),
      },
      (retry) => void emit({ type: "model_retry", agentRunId, step, ...retry }),
    );
    const { finishReason, usage } = reply;
    parts.usage.add(usage);
    const ms = Math.round(performance.now() - startedAt);
    emit({ type: "model_response", agentRunId, step, model: model.name, finishReason, usage, ms });
    return reply;
  } catch (error) {
    keepPart(parts);
    throw error;
  } finally {
    turn.endReply();
  }
}

function keep({ message, text }: ModelReply, parts: TurnParts): void {
  if (message !== undefined) parts.add(message);
  if (text !== "") parts.emit({ type: "text", agentRunId: parts.scope.agentRunId, text });
}

/** What a person has read of a reply that was broken off belongs to the conversation. */
function keepPart({ turn, add, emit, scope }: TurnParts): void {
  const text = turn.replySoFar;
  if (text.trim() === "") return;
  add({ role: "assistant", content: [{ type: "text", text }] });
  emit({ type: "text", agentRunId: scope.agentRunId, text, interrupted: true });
}
