import { isPlainObject } from "../turns/plain-object.ts";
import { TidyChatStream } from "./tidy-chat-stream.ts";

/** A `fetch` for chat completions whose streamed answers keep to the protocol, whatever the server makes of it. */
export function tidyChatFetch(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await send(input, init);
    const request = requestOf(init?.body);
    if (request.stream !== true || !response.ok || response.body === null) return response;
    const isWhole = response.headers.get("content-type")?.includes("application/json") === true;
    const tidy = new TidyChatStream(toolNames(request.tools));
    const body = isWhole ? wholeAnswer(await response.text(), tidy) : tidiedStream(response.body, tidy);
    const headers = new Headers(response.headers);
    headers.set("content-type", "text/event-stream");
    // the body is another one now, and decoded
    for (const name of ["content-length", "content-encoding"]) headers.delete(name);
    return new Response(body, { status: response.status, headers });
  };
}

function wholeAnswer(text: string, tidy: TidyChatStream): string {
  const compact = text.trim().replaceAll(/\r?\n/g, " ");
  return tidy.add(`data: ${compact}\n\n`) + tidy.end();
}

/** The decoder keeps a character whose bytes come in two pieces. */
function tidiedStream(body: ReadableStream<Uint8Array>, tidy: TidyChatStream): ReadableStream<Uint8Array> {
  const rewrite = new TransformStream<string, string>({
    transform: (piece, controller) => pass(tidy.add(piece), controller),
    flush: (controller) => pass(tidy.end(), controller),
  });
  const text = body.pipeThrough(new TextDecoderStream() as unknown as ReadableWritablePair<string, Uint8Array>);
  return text.pipeThrough(rewrite).pipeThrough(new TextEncoderStream());
}

function pass(text: string, controller: TransformStreamDefaultController<string>): void {
  if (text !== "") controller.enqueue(text);
}

function requestOf(body: unknown): { readonly [key: string]: unknown } {
  if (typeof body !== "string") return {};
  const value: unknown = JSON.parse(body);
  return isPlainObject(value) ? value : {};
}

function toolNames(tools: unknown): string[] {
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool) => {
    const name: unknown = (tool as { function?: { name?: unknown } }).function?.name;
    return typeof name === "string" ? [name] : [];
  });
}
