import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonObject } from "@code-mode/contract";
import { anthropicEvents, openAiEvents, type ProviderReply } from "./wire-formats.ts";

const afterwards: ProviderReply = { text: "done" };

/** A provider on the loopback that streams scripted replies in the format it is asked in, and keeps every request. */
export class FakeProvider implements AsyncDisposable {
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  readonly #replies: ProviderReply[];
  readonly #requests: JsonObject[] = [];

  private constructor(replies: readonly ProviderReply[]) {
    this.#replies = [...replies];
  }

  /** Starts to listen; when the script is over every further reply is the text `done`. */
  static async open(replies: readonly ProviderReply[]): Promise<FakeProvider> {
    const provider = new FakeProvider(replies);
    provider.#server.listen(0, "127.0.0.1");
    await once(provider.#server, "listening");
    return provider;
  }

  /** Address up to and with `/v1`. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  /** The bodies that came in. */
  get requests(): readonly JsonObject[] {
    return this.#requests;
  }

  /** Adds replies to the end of the script. */
  say(...replies: readonly ProviderReply[]): void {
    this.#replies.push(...replies);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString("utf8")) as JsonObject;
    this.#requests.push(body);
    if (body.stream !== true) {
      response.writeHead(400, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { message: "this provider only streams", type: "invalid_request_error" } }));
      return;
    }
    const reply = this.#replies.shift() ?? afterwards;
    const isAnthropic = (request.url ?? "").endsWith("/messages");
    response.writeHead(200, { "content-type": "text/event-stream" });
    const events = isAnthropic ? anthropicEvents(reply) : openAiEvents(reply);
    const splitInside = "splitInside" in reply ? reply.splitInside : undefined;
    for (const part of packets(events.join(""), splitInside)) await written(response, part);
    response.end();
  }
}

/** One packet, or two with the border in the middle of the UTF-8 bytes of a character. */
function packets(text: string, splitInside: string | undefined): readonly Buffer[] {
  const bytes = Buffer.from(text);
  const at = splitInside === undefined ? -1 : bytes.indexOf(splitInside);
  return at < 0 ? [bytes] : [bytes.subarray(0, at + 2), bytes.subarray(at + 2)];
}

/** Written to the socket before the next one, so that packets stay apart. */
function written(response: ServerResponse, part: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    response.write(part, (error) => (error ? reject(error) : setTimeout(resolve, 20)));
  });
}
