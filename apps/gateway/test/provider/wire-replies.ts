import type { WireReply } from "./loopback-provider.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The event stream of an OpenAI-compatible server; each part is a delta, or `{finish_reason}`. */
export function chatReply(parts: readonly Fields[], options: Partial<WireReply> = {}): WireReply {
  const chunks = parts.map(({ finish_reason, ...delta }) => ({
    id: "chatcmpl-1",
    object: "chat.completion.chunk",
    created: 1,
    model: "test",
    choices: [{ index: 0, delta, finish_reason: finish_reason ?? null }],
  }));
  const usage = { id: "chatcmpl-1", choices: [], usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } };
  return {
    pieces: [...[...chunks, usage].map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`), "data: [DONE]\n\n"],
    ...options,
  };
}

/** A reply of text alone. */
export function chatText(text: string): WireReply {
  return chatReply([{ role: "assistant", content: text }, { finish_reason: "stop" }]);
}

/** A reply that calls one tool. */
export function chatCall(name: string, input: unknown, id = "call_1"): WireReply {
  const call = { index: 0, id, type: "function", function: { name, arguments: JSON.stringify(input) } };
  return chatReply([{ role: "assistant", tool_calls: [call] }, { finish_reason: "tool_calls" }]);
}

/** A JSON error as providers send it. */
export function errorReply(status: number, message: string, headers: Readonly<Record<string, string>> = {}): WireReply {
  const body = { error: { message, type: "error", code: null, param: null } };
  return { status, headers: { "content-type": "application/json", ...headers }, pieces: [JSON.stringify(body)] };
}

/** One content block of an Anthropic message, with the deltas that fill it. */
export type AnthropicBlock = { readonly start: Fields; readonly deltas: readonly Fields[] };

/** The event stream of the Anthropic Messages API. */
export function anthropicReply(blocks: readonly AnthropicBlock[], stopReason: string): WireReply {
  const events: Fields[] = [
    {
      type: "message_start",
      message: {
        id: "msg_1",
        type: "message",
        role: "assistant",
        model: "claude-test",
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 12, output_tokens: 1 },
      },
    },
    ...blocks.flatMap(({ start, deltas }, index) => [
      { type: "content_block_start", index, content_block: start },
      ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
      { type: "content_block_stop", index },
    ]),
    {
      type: "message_delta",
      delta: { stop_reason: stopReason, stop_sequence: null },
      usage: { input_tokens: 12, output_tokens: 7 },
    },
    { type: "message_stop" },
  ];
  return { pieces: events.map((event) => `event: ${event.type as string}\ndata: ${JSON.stringify(event)}\n\n`) };
}

/** A text block. */
export function anthropicText(text: string): AnthropicBlock {
  return { start: { type: "text", text: "" }, deltas: [{ type: "text_delta", text }] };
}

/** A tool_use block. */
export function anthropicCall(name: string, input: unknown, id = "toolu_1"): AnthropicBlock {
  const text = JSON.stringify(input);
  const half = Math.floor(text.length / 2);
  return {
    start: { type: "tool_use", id, name, input: {} },
    deltas: [text.slice(0, half), text.slice(half)].map((partial) => ({
      type: "input_json_delta",
      partial_json: partial,
    })),
  };
}

/** The event stream of the Gemini API: one chunk per list of parts, the last one with the finish reason. */
export function geminiReply(chunks: readonly (readonly Fields[])[], finishReason = "STOP"): WireReply {
  return {
    pieces: chunks.map((parts, index) => {
      const last = index === chunks.length - 1;
      const candidate = { content: { parts, role: "model" }, index: 0, ...(last ? { finishReason } : {}) };
      const usageMetadata = { promptTokenCount: 9, candidatesTokenCount: 4, totalTokenCount: 13 };
      return `data: ${JSON.stringify({ candidates: [candidate], usageMetadata })}\r\n\r\n`;
    }),
  };
}
