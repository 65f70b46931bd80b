import type { ClientCall } from "../../client-tools/client-run.ts";
import type { TurnUsage } from "../../turns/turn.ts";

/** How a request ended: with the agent's answer, or with calls that the client has to answer. */
export type ChatEnd = { readonly calls: readonly ClientCall[]; readonly usage: TurnUsage | undefined };

/** The fields that every object of one answer shares. */
export type ChatEnvelope = { readonly id: string; readonly created: number; readonly model: string };

/** A whole answer. */
export function toCompletion(envelope: ChatEnvelope, text: string, { calls, usage }: ChatEnd): object {
  return {
    ...envelope,
    object: "chat.completion",
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: calls.length > 0 && text === "" ? null : text,
          ...(calls.length > 0 ? { tool_calls: calls.map((call) => toToolCall(call)) } : {}),
        },
        logprobs: null,
        finish_reason: finishOf(calls),
      },
    ],
    usage: toUsage(usage),
  };
}

/** A piece of a streamed answer. */
export function toChunk(envelope: ChatEnvelope, delta: object, finish: string | null = null): object {
  return {
    ...envelope,
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
  };
}

/** The last pieces of a streamed answer. */
export function toLastChunks(envelope: ChatEnvelope, end: ChatEnd, { withUsage }: { withUsage: boolean }): object[] {
  const { calls, usage } = end;
  const chunks = [toChunk(envelope, {}, finishOf(calls))];
  if (calls.length > 0)
    chunks.unshift(toChunk(envelope, { tool_calls: calls.map((call, index) => ({ index, ...toToolCall(call) })) }));
  if (withUsage) chunks.push({ ...envelope, object: "chat.completion.chunk", choices: [], usage: toUsage(usage) });
  return chunks;
}

function toToolCall({ toolCallId, name, input }: ClientCall): object {
  return { id: toolCallId, type: "function", function: { name, arguments: JSON.stringify(input) } };
}

function finishOf(calls: readonly ClientCall[]): string {
  return calls.length > 0 ? "tool_calls" : "stop";
}

/** An answer that only hands calls out reports no tokens: those of the turn are reported when it ends. */
function toUsage(usage: TurnUsage | undefined): object {
  const { inputTokens = 0, outputTokens = 0 } = usage ?? {};
  return { prompt_tokens: inputTokens, completion_tokens: outputTokens, total_tokens: inputTokens + outputTokens };
}
