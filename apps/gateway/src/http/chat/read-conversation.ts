import type { JsonValue } from "@code-mode/contract";
import type { ModelMessage } from "ai";
import type { ClientAnswer } from "../../client-tools/client-run.ts";
import { HttpError } from "../http-error.ts";
import type { ChatCompletionMessage } from "./parse-chat-request.ts";

/** What a client wants: a new turn, or to go on with the one that waits for its tool results. */
export type Conversation =
  | { readonly kind: "results"; readonly answers: readonly ClientAnswer[] }
  | {
      readonly kind: "message";
      readonly message: string;
      readonly instructions: string | undefined;
      /** Everything before the new message, without system messages. */
      readonly before: readonly ChatCompletionMessage[];
    };

/**
 * Reads the messages of a chat completion request.
 * @throws HttpError 400 when they do not end with a user message or with tool results
 */
export function readConversation(messages: readonly ChatCompletionMessage[]): Conversation {
  const spoken = messages.filter(({ role }) => role !== "system" && role !== "developer");
  const results = trailing(spoken, "tool");
  if (results.length > 0) return { kind: "results", answers: results.map(toAnswer) };
  const added = trailing(spoken, "user");
  const message = added.map(textOf).join("\n\n");
  if (message === "")
    throw new HttpError(
      400,
      "invalid_input",
      "messages: the last one must be a user message with text, or tool results.",
    );
  const system = messages.filter(({ role }) => role === "system" || role === "developer").map(textOf);
  return {
    kind: "message",
    message,
    instructions: system.join("\n\n") || undefined,
    before: spoken.slice(0, spoken.length - added.length),
  };
}

/** An imported conversation as history of a new session; calls of client tools become words, nobody can repeat them. */
export function toHistory(before: readonly ChatCompletionMessage[]): readonly ModelMessage[] {
  const results = new Map(before.map((message) => [message.tool_call_id, textOf(message)]));
  return before.flatMap((message): ModelMessage[] => {
    if (message.role === "user") return [{ role: "user", content: textOf(message) || "(empty message)" }];
    if (message.role !== "assistant") return [];
    const calls = (message.tool_calls ?? []).map(
      (call) =>
        `(called the client's ${call.function.name} with ${call.function.arguments}; it answered: ${results.get(call.id) ?? "nothing"})`,
    );
    const content = [textOf(message), ...calls].filter((part) => part !== "").join("\n");
    return content === "" ? [] : [{ role: "assistant", content }];
  });
}

/**
 * The text of a message.
 * @throws HttpError 400 for parts that are no text
 */
export function textOf({ content, role }: ChatCompletionMessage): string {
  if (typeof content === "string") return content;
  return (content ?? [])
    .map((part) => {
      if (part.text !== undefined) return part.text;
      throw new HttpError(
        400,
        "unsupported_value",
        `messages: a ${role} message has a part of type ${part.type}; only text is taken. Give files through the workspace.`,
      );
    })
    .join("");
}

function trailing(messages: readonly ChatCompletionMessage[], role: string): readonly ChatCompletionMessage[] {
  const from = messages.findLastIndex((message) => message.role !== role) + 1;
  return messages.slice(from);
}

function toAnswer(message: ChatCompletionMessage): ClientAnswer {
  if (message.tool_call_id === undefined)
    throw new HttpError(400, "invalid_input", "messages: a tool message has no tool_call_id.");
  return { toolCallId: message.tool_call_id, output: parsed(textOf(message)) };
}

/** Programs want objects, and clients can only send text: text that is a JSON object or array becomes one. */
function parsed(text: string): JsonValue {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}
