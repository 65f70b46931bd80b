import { CodeModeError } from "@code-mode/contract";
import { fillExpressions, type ScriptFacts } from "./fill-expressions.ts";
import type { Script } from "./parse-script.ts";

/** The part of a chat completion request that a script reads. */
export type ChatMessage = { readonly role: string; readonly content?: unknown };

/** What the scripted model answers, without the envelope of the protocol. */
export type PlayedStep = {
  readonly index: number;
  readonly text: string | null;
  readonly toolCalls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
  readonly finishReason: "stop" | "tool_calls" | "length";
};

/**
 * The step that a conversation has come to: as many as it holds assistant messages. No state is kept, so sessions
 * do not disturb each other and a request can be sent again.
 * @throws CodeModeError `invalid_input` when the script is over or an expression refers to nothing
 */
export function playStep(script: Script, messages: readonly ChatMessage[]): PlayedStep {
  const index = messages.filter(({ role }) => role === "assistant").length;
  const step = script.steps[index];
  if (step === undefined)
    throw new CodeModeError(
      "invalid_input",
      `the script has ${script.steps.length} steps and the conversation asks for number ${index + 1}. Add a step or start a new session.`,
    );
  const facts = factsOf(messages);
  const toolCalls = (step.toolCalls ?? []).map((call, position) => ({
    id: `call_${index + 1}_${position + 1}`,
    name: call.name,
    arguments: call.arguments ?? JSON.stringify(fillExpressions(call.input ?? {}, facts)),
  }));
  return {
    index,
    text: step.text === undefined ? null : String(fillExpressions(step.text, facts)),
    toolCalls,
    finishReason: step.finishReason ?? (toolCalls.length > 0 ? "tool_calls" : "stop"),
  };
}

function factsOf(messages: readonly ChatMessage[]): ScriptFacts {
  const user = messages.findLast(({ role }) => role === "user");
  return {
    results: messages.filter(({ role }) => role === "tool").map(({ content }) => parsed(textOf(content))),
    message: textOf(user?.content),
  };
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part: { text?: unknown }) => (typeof part?.text === "string" ? part.text : "")).join("");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
