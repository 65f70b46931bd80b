import type { JsonValue } from "@code-mode/contract";
import type { Script, ScriptStep } from "../provider/parse-script.ts";
import type { SessionEvent } from "../store/transcript-store.ts";

/** What a tool of the model was asked and answered. */
export type RecordedCall = { readonly name: string; readonly input: JsonValue; readonly result: JsonValue };

/** One turn to be played again: the user's message, the tools the model was offered, and what they answered. */
export type ReplayTurn = {
  readonly agentId: string;
  readonly message: string;
  readonly tools: readonly string[];
  readonly calls: readonly RecordedCall[];
};

/** A session as a script for the scripted provider, with the recorded answers of its tools (TRJ-1). */
export type Replay = { readonly script: Script; readonly turns: readonly ReplayTurn[] };

/**
 * Makes a replay of a session's trajectory: what the model said and called, step by step, and what it was answered, so
 * that the session plays again without any model or tool. A reply that broke off or said nothing has no step.
 */
export function toReplayScript(events: readonly SessionEvent[]): Replay {
  const builder = new ReplayBuilder();
  for (const event of events) builder.add(event);
  return builder.replay();
}

type Draft<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer Item)[] ? Item[] : T[K] };
type DraftStep = { text?: string; finishReason?: "length"; toolCalls: NonNullable<ScriptStep["toolCalls"]> };

class ReplayBuilder {
  readonly #turns: Draft<ReplayTurn>[] = [];
  readonly #steps: DraftStep[] = [];
  readonly #open = new Map<JsonValue | undefined, { readonly name: string; readonly input: JsonValue }>();

  add(event: SessionEvent): void {
    const turn = this.#turns.at(-1);
    switch (event.type) {
      case "turn_started":
        this.#turns.push({ agentId: String(event.agentId), message: String(event.message), tools: [], calls: [] });
        break;
      case "model_request":
        if (turn !== undefined) turn.tools = (event.tools as readonly string[] | undefined)?.slice() ?? [];
        this.#steps.push({ toolCalls: [] });
        break;
      case "model_response":
        if (event.finishReason === "length") this.#step.finishReason = "length";
        break;
      case "text":
        if (event.interrupted !== true) this.#step.text = escapeExpressions(String(event.text)) as string;
        break;
      case "tool_call":
        this.#step.toolCalls.push(scriptedCall(event));
        this.#open.set(event.toolCallId, { name: String(event.name), input: event.input ?? null });
        break;
      case "tool_result": {
        const call = this.#open.get(event.toolCallId);
        this.#open.delete(event.toolCallId);
        if (call !== undefined) turn?.calls.push({ ...call, result: event.result ?? null });
        break;
      }
    }
  }

  replay(): Replay {
    const said = this.#steps.filter(({ text, toolCalls }) => text !== undefined || toolCalls.length > 0);
    const steps = said.map(({ toolCalls, ...step }) => (toolCalls.length === 0 ? step : { ...step, toolCalls }));
    return { script: { steps: steps.length === 0 ? [{ text: "" }] : steps }, turns: this.#turns };
  }

  get #step(): DraftStep {
    const last = this.#steps.at(-1);
    if (last !== undefined) return last;
    const first: DraftStep = { toolCalls: [] };
    this.#steps.push(first);
    return first;
  }
}

/** Arguments that were no JSON object are played as the text they were. */
function scriptedCall({ name, input = null }: SessionEvent): DraftStep["toolCalls"][number] {
  const call = { name: String(name) };
  return typeof input === "string" ? { ...call, arguments: input } : { ...call, input: escapeExpressions(input) };
}

/** What the scripted provider would fill in; a second dollar sign in front of it keeps it as it is. */
const expression = /\$\{(?=(?:results|message)(?![\w$])(?:\.[A-Za-z_$][\w$]*|\[-?\d+\]|\["[^"\]]*"\])*\})/g;

function escapeExpressions(value: JsonValue): JsonValue {
  if (typeof value === "string") return value.replace(expression, "$$${");
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item: JsonValue) => escapeExpressions(item));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, escapeExpressions(item)]));
}
