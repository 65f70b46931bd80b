import type { AssistantModelMessage, ModelMessage, ToolCallPart, ToolResultPart } from "ai";
import type { HistoryRule } from "./history-rule.ts";
import { imagesBehind } from "./images-behind.ts";
import { ToolCallIds } from "./tool-call-ids.ts";
import { wellFormed } from "./well-formed.ts";

/** Options of `prepareHistory`. */
export type PrepareHistoryOptions = { readonly rule: HistoryRule };

/** A history as it is sent: system texts apart, because templates of local models take them only in front. */
export type PreparedHistory = { readonly system: readonly string[]; readonly messages: ModelMessage[] };

type Result = { readonly at: number; readonly part: ToolResultPart; taken: boolean };

/**
 * The history as a provider accepts it (PRV-2), made for each request; what is stored stays as it happened. Every tool
 * call has exactly one result right behind its message, results without a call are left out, ids are unique and within
 * the rule, texts are valid UTF-8, nothing is empty. What the model thought is passed on byte for byte: it is signed.
 */
export function prepareHistory(history: readonly ModelMessage[], { rule }: PrepareHistoryOptions): PreparedHistory {
  const ids = new ToolCallIds(rule);
  const results = resultsOf(history);
  const messages: ModelMessage[] = [];
  const system: string[] = [];
  for (const [at, message] of history.entries()) {
    if (message.role === "system") system.push(wellFormed(message.content));
    if (message.role === "user") messages.push(userMessage(message));
    if (message.role === "assistant") messages.push(...assistantMessages(message, { at, ids, results, rule }));
  }
  if (rule.userFirst && messages[0]?.role === "assistant")
    messages.unshift({ role: "user", content: "(The conversation began earlier.)" });
  return { system, messages };
}

function resultsOf(history: readonly ModelMessage[]): Result[] {
  return history.flatMap((message, at) =>
    message.role !== "tool"
      ? []
      : message.content.flatMap((part) => (part.type === "tool-result" ? [{ at, part, taken: false }] : [])),
  );
}

function userMessage(message: ModelMessage & { role: "user" }): ModelMessage {
  const { content } = message;
  if (typeof content === "string") return { ...message, content: isBlank(content) ? noText : wellFormed(content) };
  const parts = content.filter((part) => part.type !== "text" || !isBlank(part.text)).map((part) => wellFormed(part));
  return { ...message, content: parts.length === 0 ? noText : parts };
}

type Place = {
  readonly at: number;
  readonly ids: ToolCallIds;
  readonly results: readonly Result[];
  readonly rule: HistoryRule;
};

/** The message and the results of its calls; nothing for one that says nothing. */
function assistantMessages(message: AssistantModelMessage, { at, ids, results, rule }: Place): ModelMessage[] {
  const given =
    typeof message.content === "string" ? [{ type: "text" as const, text: message.content }] : message.content;
  const answers: ToolResultPart[] = [];
  const content = given.flatMap((part): typeof given => {
    if (part.type === "reasoning") return [part];
    if (part.type === "text") return isBlank(part.text) ? [] : [wellFormed(part)];
    if (part.type !== "tool-call" || part.providerExecuted === true) return [part];
    const toolCallId = ids.take(part.toolCallId);
    const toolName = nameOf(part.toolName);
    answers.push({ ...resultOf(part, at, results), toolCallId, toolName });
    return [{ ...part, toolCallId, toolName, input: wellFormed(objectOf(part.input)) }];
  });
  if (content.every(({ type }) => type === "reasoning")) return [];
  const sent: ModelMessage = { ...message, content };
  if (answers.length === 0) return [sent];
  return [sent, ...(rule.imagesInResults ? [{ role: "tool" as const, content: answers }] : imagesBehind(answers))];
}

/** The first result of this call that nobody took yet; what is known of a call without one. */
function resultOf({ toolCallId, toolName }: ToolCallPart, at: number, results: readonly Result[]): ToolResultPart {
  const found = results.find((result) => !result.taken && result.at > at && result.part.toolCallId === toolCallId);
  if (found === undefined) return { type: "tool-result", toolCallId, toolName, output: interrupted };
  found.taken = true;
  const output = wellFormed(found.part.output);
  const isEmpty = output.type === "text" && output.value === "";
  return { ...found.part, output: isEmpty ? { type: "text", value: "(no output)" } : output };
}

/** Truth first: nobody saw how the call ended, so the model must not take it for done or for undone. */
const interrupted = {
  type: "json" as const,
  value: {
    status: "failed",
    code: "aborted",
    error:
      "interrupted: the turn ended before this call had a result. It may have run in part or whole; check before you repeat anything that has side effects.",
  },
};

const noText = "(no text)";

function isBlank(text: string): boolean {
  return text.trim() === "";
}

/** A model may have called a tool by a name that no provider takes back. */
function nameOf(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, 64) || "unnamed_tool";
}

/** Providers refuse a history with arguments that are no object, such as those of a call that could not be read. */
function objectOf(input: unknown): unknown {
  return typeof input === "object" && input !== null && !Array.isArray(input) ? input : {};
}
