import type { ModelTool } from "@code-mode/contract";
import {
  type AssistantModelMessage,
  jsonSchema,
  type ModelMessage,
  streamText,
  type ToolCallRepairFunction,
  type ToolSet,
  tool,
} from "ai";
import type { OpenedModel } from "../provider/opened-model.ts";
import { prepareHistory } from "../provider/prepare-history.ts";
import { isPlainObject } from "./plain-object.ts";
import { repairArguments } from "./repair-arguments.ts";
import type { ReadCall } from "./requested-calls.ts";
import type { RequestUsage } from "./turn-event.ts";

/** One request to the model. */
export type ModelRequest = {
  readonly model: OpenedModel;
  readonly tools: readonly ModelTool[];
  readonly instructions: string | undefined;
  readonly messages: readonly ModelMessage[];
  readonly signal: AbortSignal;
  /** Hears each piece of text as it comes. */
  onText(delta: string): void;
};

/** What the model replied. `message` joins the history; absent for a reply that holds nothing. */
export type ModelReply = {
  readonly text: string;
  readonly calls: readonly ReadCall[];
  readonly message: AssistantModelMessage | undefined;
  readonly finishReason: string;
  readonly usage: RequestUsage;
};

/**
 * Sends one request and reads the streamed reply. Nothing is retried here.
 * @throws what the provider or the connection failed with, and the reason of the signal
 */
export async function askModel(request: ModelRequest): Promise<ModelReply> {
  const { model, tools, signal } = request;
  const { system, messages } = prepareHistory(request.messages, { rule: model.historyRule });
  const instructions = [request.instructions, ...system].filter((text) => text !== undefined && text !== "");
  const result = streamText({
    model: model.languageModel,
    tools: offer(tools),
    messages,
    abortSignal: signal,
    maxRetries: 0,
    repairToolCall: repairWith(tools),
    // the error comes as a part of the stream too; without a listener the library prints it
    onError: () => undefined,
    ...(model.maxOutputTokens === undefined ? {} : { maxOutputTokens: model.maxOutputTokens }),
    ...(instructions.length === 0 ? {} : { instructions: instructions.join("\n\n") }),
  });
  const reply = {
    text: "",
    calls: [] as ReadCall[],
    finishReason: "other",
    usage: { inputTokens: 0, outputTokens: 0 },
  };
  for await (const part of result.stream) {
    if (part.type === "error") throw part.error;
    if (part.type === "abort") throw signal.reason ?? new Error("the request was aborted");
    if (part.type === "text-delta") {
      reply.text += part.text;
      request.onText(part.text);
    }
    if (part.type === "tool-call") reply.calls.push(part);
    if (part.type === "finish-step") {
      reply.finishReason = part.finishReason;
      reply.usage = { inputTokens: part.usage.inputTokens ?? 0, outputTokens: part.usage.outputTokens ?? 0 };
    }
  }
  signal.throwIfAborted();
  if (reply.finishReason === "interrupted") throw cutOff;
  const added = await result.responseMessages;
  return { ...reply, message: added.find((message) => message.role === "assistant") };
}

/** A stream without its end is no reply: a call in it may be a part of the one that was meant. May be asked again. */
const cutOff = { type: "server_error", message: "the stream ended before the reply was complete" };

function offer(tools: readonly ModelTool[]): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, inputSchema }) => [
      name,
      tool({
        description,
        inputSchema: jsonSchema<Record<string, unknown>>(inputSchema as object, {
          // what is in the object is the tool's own concern; that it is one is ours
          validate: (value) =>
            isPlainObject(value) ? { success: true, value } : { success: false, error: new Error("no object") },
        }),
      }),
    ]),
  );
}

function repairWith(tools: readonly ModelTool[]): ToolCallRepairFunction<ToolSet> {
  return async ({ toolCall }) => {
    const target = tools.find(({ name }) => name === toolCall.toolName);
    const repaired = repairArguments(target, toolCall.input);
    return repaired === undefined ? null : { ...toolCall, input: JSON.stringify(repaired) };
  };
}
