import type { CodeModeResult, JsonObject, JsonValue } from "@code-mode/contract";

/** A tool call in a history; `input` is undefined when the arguments are no JSON. */
export type SentCall = { readonly id: string; readonly name: string; readonly input: JsonValue | undefined };

/** A result in a history. */
export type SentResult = { readonly id: string; readonly text: string };

/** One message of a history as it went to the provider. */
export type SentMessage = {
  readonly role: string;
  readonly text: string;
  readonly calls: readonly SentCall[];
  readonly results: readonly SentResult[];
};

/** One request to a provider, whatever its format. */
export type ProviderRequest = {
  readonly body: JsonObject;
  readonly messages: readonly SentMessage[];
  readonly tools: readonly { readonly name: string; readonly description: string; readonly schema: JsonObject }[];
};

/** Reads a request body of the OpenAI chat or Anthropic messages format. */
export function readRequest(body: JsonObject): ProviderRequest {
  const system = body.system === undefined ? [] : [{ role: "system", content: body.system }];
  const messages = [...system, ...listOf(body.messages)].map(readMessage);
  const tools = listOf(body.tools).map((tool) => {
    const facts = (tool.function ?? tool) as JsonObject;
    return {
      name: String(facts.name),
      description: String(facts.description ?? ""),
      schema: (facts.parameters ?? facts.input_schema ?? {}) as JsonObject,
    };
  });
  return { body, messages, tools };
}

/** The result of a call that a tool message carries. */
export function cellResultOf({ text }: SentResult): CodeModeResult | undefined {
  try {
    const value = JSON.parse(text) as CodeModeResult | null;
    return typeof value === "object" && value !== null && "status" in value ? value : undefined;
  } catch {
    return undefined;
  }
}

function readMessage(message: JsonObject): SentMessage {
  const blocks = typeof message.content === "string" ? [] : listOf(message.content);
  const text = typeof message.content === "string" ? message.content : textOf(blocks);
  const calls = [
    ...listOf(message.tool_calls).map((call) => {
      const facts = call.function as JsonObject;
      return { id: String(call.id), name: String(facts.name), input: parsed(String(facts.arguments)) };
    }),
    ...blocks
      .filter(({ type }) => type === "tool_use")
      .map(({ id, name, input }) => ({ id: String(id), name: String(name), input })),
  ];
  const results = [
    ...(message.role === "tool" ? [{ id: String(message.tool_call_id), text }] : []),
    ...blocks
      .filter(({ type }) => type === "tool_result")
      .map(({ tool_use_id: id, content }) => ({
        id: String(id),
        text: typeof content === "string" ? content : textOf(listOf(content)),
      })),
  ];
  return { role: String(message.role), text, calls, results };
}

function textOf(blocks: readonly JsonObject[]): string {
  return blocks.map(({ text }) => (typeof text === "string" ? text : "")).join("");
}

function listOf(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly JsonObject[]) : [];
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
