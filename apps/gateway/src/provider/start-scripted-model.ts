import { messageOf } from "@code-mode/contract";
import { type ServerType, serve } from "@hono/node-server";
import { Hono } from "hono";
import type { Script } from "./parse-script.ts";
import { type ChatMessage, type PlayedStep, playStep } from "./play-step.ts";

/** A request as the scripted model got it on the wire. */
export type ChatRequest = {
  readonly model?: string;
  readonly messages?: readonly ChatMessage[];
  readonly tools?: readonly unknown[];
  readonly stream?: boolean;
};

/** A scripted model that listens on loopback and speaks the OpenAI chat completions protocol. */
export type ScriptedModel = AsyncDisposable & {
  /** Base address, up to and with `/v1`. */
  readonly baseUrl: string;
  /** Every request body so far, as received. */
  readonly requests: readonly ChatRequest[];
};

/** Starts a scripted model on a free port of 127.0.0.1 (PRV-3). */
export async function startScriptedModel(script: Script): Promise<ScriptedModel> {
  const requests: ChatRequest[] = [];
  const name = script.model ?? "scripted";
  const app = new Hono();
  app.get("/v1/models", (context) =>
    context.json({ object: "list", data: [{ id: name, object: "model", owned_by: "scripted" }] }),
  );
  app.post("/v1/chat/completions", async (context) => {
    try {
      const request = (await context.req.json()) as ChatRequest;
      requests.push(request);
      const played = playStep(script, request.messages ?? []);
      if (request.stream !== true) return context.json(completion(played, name));
      return context.body(eventStream(played, name), 200, { "content-type": "text/event-stream" });
    } catch (error) {
      return context.json({ error: { message: messageOf(error), type: "invalid_request_error" } }, 400);
    }
  });
  const { server, port } = await listen(app);
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    [Symbol.asyncDispose]: () => close(server),
  };
}

async function listen(app: Hono): Promise<{ server: ServerType; port: number }> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, (info) => resolve(info.port));
  server.once("error", reject);
  return { server, port: await promise };
}

async function close(server: ServerType): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  if ("closeAllConnections" in server) server.closeAllConnections();
  await promise;
}

function completion(played: PlayedStep, model: string): object {
  return {
    id: `chatcmpl-${played.index + 1}`,
    object: "chat.completion",
    created: 0,
    model,
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: played.text, ...toolCallsOf(played) },
        finish_reason: played.finishReason,
      },
    ],
    usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
  };
}

function toolCallsOf(played: PlayedStep): object {
  if (played.toolCalls.length === 0) return {};
  return {
    tool_calls: played.toolCalls.map((call, index) => ({
      index,
      id: call.id,
      type: "function",
      function: { name: call.name, arguments: call.arguments },
    })),
  };
}

/** Longest piece of text or arguments in one event: a reader must not rely on whole ones. */
const pieceLength = 16;

function eventStream(played: PlayedStep, model: string): string {
  const chunk = (delta: object, finish: string | null = null): string =>
    `data: ${JSON.stringify({ id: `chatcmpl-${played.index + 1}`, object: "chat.completion.chunk", created: 0, model, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const text = piecesOf(played.text ?? "").map((content) => chunk({ content }));
  const calls = played.toolCalls.flatMap(({ id, name, arguments: whole }, index) => [
    chunk({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] }),
    ...piecesOf(whole).map((piece) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] })),
  ]);
  const parts = [chunk({ role: "assistant" }), ...text, ...calls, chunk({}, played.finishReason)];
  return `${parts.join("")}data: [DONE]\n\n`;
}

/** Whole characters, so that each piece is text of its own. */
function piecesOf(text: string): string[] {
  const characters = [...text];
  return Array.from({ length: Math.ceil(characters.length / pieceLength) }, (_, index) =>
    characters.slice(index * pieceLength, (index + 1) * pieceLength).join(""),
  );
}
