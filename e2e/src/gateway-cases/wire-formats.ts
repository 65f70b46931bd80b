import type { JsonObject, JsonValue } from "@code-mode/contract";

/** What the provider says once: the deltas of a stream as the cases write them, or words and calls. */
export type ProviderReply =
  | { readonly deltas: readonly JsonValue[]; readonly splitInside?: string }
  | { readonly text: string }
  | { readonly calls: readonly ProviderCall[]; readonly thinking?: JsonObject };

/** A tool call of the model. */
export type ProviderCall = { readonly id: string; readonly name: string; readonly input: JsonObject };

const isFinish = (delta: JsonValue): delta is { readonly finish_reason: string } =>
  typeof delta === "object" && delta !== null && "finish_reason" in delta;

/** The events of an OpenAI chat completion stream. */
export function openAiEvents(reply: ProviderReply): readonly string[] {
  const deltas = "deltas" in reply ? reply.deltas : openAiDeltas(reply);
  const chunk = (choice: JsonObject): string =>
    `data: ${JSON.stringify({ id: "c1", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, ...choice }] })}\n\n`;
  const body = deltas.map((delta) =>
    isFinish(delta)
      ? chunk({ delta: {}, finish_reason: delta.finish_reason })
      : chunk({ delta: { role: "assistant", ...(delta as JsonObject) }, finish_reason: null }),
  );
  return [...body, "data: [DONE]\n\n"];
}

function openAiDeltas(reply: Exclude<ProviderReply, { readonly deltas: unknown }>): readonly JsonValue[] {
  if ("text" in reply) return [{ content: reply.text }, { finish_reason: "stop" }];
  const calls = reply.calls.map(({ id, name, input }, index) => ({
    tool_calls: [{ index, id, type: "function", function: { name, arguments: JSON.stringify(input) } }],
  }));
  return [...calls, { finish_reason: "tool_calls" }];
}

/** The events of an Anthropic message stream. */
export function anthropicEvents(reply: ProviderReply): readonly string[] {
  if ("deltas" in reply) throw new TypeError("deltas are of the OpenAI format");
  const event = (type: string, facts: JsonObject): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...facts })}\n\n`;
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = { id: "m1", type: "message", role: "assistant", model: "m", content: [], stop_reason: null, usage };
  const blocks = anthropicBlocks(reply).flatMap(({ start, deltas }, index) => [
    event("content_block_start", { index, content_block: start }),
    ...deltas.map((delta) => event("content_block_delta", { index, delta })),
    event("content_block_stop", { index }),
  ]);
  const reason = "calls" in reply ? "tool_use" : "end_turn";
  return [
    event("message_start", { message }),
    ...blocks,
    event("message_delta", { delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: 1 } }),
    event("message_stop", {}),
  ];
}

type Block = { readonly start: JsonObject; readonly deltas: readonly JsonObject[] };

function anthropicBlocks(reply: Exclude<ProviderReply, { readonly deltas: unknown }>): readonly Block[] {
  if ("text" in reply)
    return [{ start: { type: "text", text: "" }, deltas: [{ type: "text_delta", text: reply.text }] }];
  const thought = reply.thinking;
  const thinking: readonly Block[] =
    thought === undefined
      ? []
      : [
          {
            start: { type: "thinking", thinking: "", signature: "" },
            deltas: [
              { type: "thinking_delta", thinking: String(thought.thinking) },
              { type: "signature_delta", signature: String(thought.signature) },
            ],
          },
        ];
  const calls = reply.calls.map(({ id, name, input }) => ({
    start: { type: "tool_use", id, name, input: {} },
    deltas: [{ type: "input_json_delta", partial_json: JSON.stringify(input) }],
  }));
  return [...thinking, ...calls];
}
