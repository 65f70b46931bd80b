import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as the model got it on the wire. */
export type ModelRequest = {
  readonly messages: readonly { readonly role: string; readonly content?: unknown }[];
  readonly tools?: readonly unknown[];
  readonly stream?: boolean;
};

/** What the model says: text, or one call. */
export type ModelStep = { readonly text: string } | { readonly name: string; readonly input: object };

/** Decides what the model says; `index` counts the requests from 0. */
export type Play = (request: ModelRequest, index: number) => ModelStep | Promise<ModelStep>;

/** A model on loopback that a test plays; it speaks the chat completions protocol, streamed and whole. */
export type FakeModel = AsyncDisposable & { readonly baseUrl: string; readonly requests: readonly ModelRequest[] };

/** Starts a model; each request is answered by `play`. */
export async function startFakeModel(play: Play): Promise<FakeModel> {
  const requests: ModelRequest[] = [];
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await readAll(request)) as ModelRequest;
    const index = requests.push(body) - 1;
    const step = await play(body, index);
    const streamed = body.stream === true;
    response.writeHead(200, { "content-type": streamed ? "text/event-stream" : "application/json" });
    response.end(streamed ? streamOf(step, index) : JSON.stringify(completionOf(step, index)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The result of the last tool call of a conversation, as the model reads it. */
export function lastResult({ messages }: ModelRequest): Record<string, unknown> {
  const content = messages.findLast(({ role }) => role === "tool")?.content;
  const text = Array.isArray(content) ? content.map((part: { text: string }) => part.text).join("") : String(content);
  return JSON.parse(text) as Record<string, unknown>;
}

/** Names of the tools in a request. */
export function toolNames({ tools = [] }: ModelRequest): string[] {
  return tools.map((tool) => (tool as { function: { name: string } }).function.name);
}

async function readAll(request: IncomingMessage): Promise<string> {
  let text = "";
  request.setEncoding("utf8");
  for await (const chunk of request) text += chunk as string;
  return text;
}

function messageOf(step: ModelStep, index: number): { message: object; finish: string } {
  if ("text" in step) return { message: { role: "assistant", content: step.text }, finish: "stop" };
  const call = {
    index: 0,
    id: `call_${index}`,
    type: "function",
    function: { name: step.name, arguments: JSON.stringify(step.input) },
  };
  return { message: { role: "assistant", content: null, tool_calls: [call] }, finish: "tool_calls" };
}

const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

function completionOf(step: ModelStep, index: number): object {
  const { message, finish } = messageOf(step, index);
  const choices = [{ index: 0, message, finish_reason: finish }];
  return { id: `c${index}`, object: "chat.completion", created: 0, model: "fake", choices, usage };
}

function streamOf(step: ModelStep, index: number): string {
  const { message, finish } = messageOf(step, index);
  const chunk = (choices: object[], more = {}): string =>
    `data: ${JSON.stringify({ id: `c${index}`, object: "chat.completion.chunk", created: 0, model: "fake", choices, ...more })}\n\n`;
  return [
    chunk([{ index: 0, delta: message, finish_reason: null }]),
    chunk([{ index: 0, delta: {}, finish_reason: finish }]),
    chunk([], { usage }),
    "data: [DONE]\n\n",
  ].join("");
}
