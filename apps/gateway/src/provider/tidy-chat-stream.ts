import { isPlainObject } from "../turns/plain-object.ts";
import { type CallDelta, ChatCalls } from "./chat-calls.ts";
import { EventLines } from "./event-lines.ts";

type Fields = { readonly [key: string]: unknown };

/** The end of a stream that stopped in the middle; a retryable error for whoever reads it. */
const cutOff = {
  error: { message: "the stream ended before the reply was complete", type: "server_error", code: null, param: null },
};

/**
 * Rewrites the event stream of an OpenAI-compatible server into one that keeps to the protocol: text passes through as
 * it comes, tool calls are held back until they are whole (a call is never seen in part), keep-alive objects are
 * dropped, and a stream that broke off ends with an error instead of looking finished.
 */
export class TidyChatStream {
  readonly #calls: ChatCalls;
  readonly #lines = new EventLines();
  #envelope: Fields = {};
  #finished = false;
  #done = false;

  constructor(toolNames: Iterable<string>) {
    this.#calls = new ChatCalls(toolNames);
  }

  /** Takes a piece of the stream; gives what can go on. */
  add(piece: string): string {
    return this.#lines
      .add(piece)
      .map((data) => this.#event(data))
      .join("");
  }

  /** The stream is over. */
  end(): string {
    const rest = this.#lines
      .end()
      .map((data) => this.#event(data))
      .join("");
    return this.#done ? rest : rest + this.#finish();
  }

  #event(data: string): string {
    if (this.#done || data.trim() === "") return "";
    if (data.trim() === "[DONE]") {
      this.#finished = true;
      return this.#finish();
    }
    let value: unknown;
    try {
      value = JSON.parse(data);
    } catch {
      // what is no JSON is the reader's to complain about
      return line(data);
    }
    if (!isPlainObject(value)) return line(data);
    if ("error" in value && value.error !== null) {
      this.#finished = true;
      return line(JSON.stringify(value));
    }
    return this.#chunk(value);
  }

  #chunk(value: Fields): string {
    const { choices, ...envelope } = value;
    if (!Array.isArray(choices) && value.usage === undefined) return "";
    this.#envelope = envelope;
    const first: unknown = Array.isArray(choices)
      ? (choices.find((choice) => (choice as Fields)?.index === 0) ?? choices[0])
      : undefined;
    if (!isPlainObject(first)) return line(JSON.stringify({ ...envelope, choices: [] }));
    if (typeof first.finish_reason === "string") this.#finished = true;
    // a server that was asked to stream and answers with a whole message
    const delta = isPlainObject(first.delta) ? first.delta : isPlainObject(first.message) ? first.message : {};
    const { tool_calls: calls, ...rest } = delta;
    if (Array.isArray(calls)) for (const call of calls) if (isPlainObject(call)) this.#calls.add(call as CallDelta);
    const choice = { index: 0, delta: rest, finish_reason: first.finish_reason ?? null };
    return line(JSON.stringify({ ...envelope, choices: [choice] }));
  }

  #finish(): string {
    this.#done = true;
    if (!this.#finished) return line(JSON.stringify(cutOff)) + line("[DONE]");
    if (this.#calls.isEmpty) return line("[DONE]");
    const { usage: _counted, ...envelope } = this.#envelope;
    const choice = { index: 0, delta: { tool_calls: this.#calls.whole() }, finish_reason: null };
    return line(JSON.stringify({ ...envelope, choices: [choice] })) + line("[DONE]");
  }
}

function line(data: string): string {
  return `${data
    .split("\n")
    .map((part) => `data: ${part}\n`)
    .join("")}\n`;
}
