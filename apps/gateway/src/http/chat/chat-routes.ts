import { randomUUID } from "node:crypto";
import type { Mount } from "../gateway-parts.ts";
import { HttpError } from "../http-error.ts";
import { ChatCompletions, type OpenChat } from "./chat-completions.ts";
import { type ChatEnvelope, toCompletion } from "./chat-format.ts";
import { chatStream } from "./chat-stream.ts";
import { parseChatRequest } from "./parse-chat-request.ts";

/** A failure that comes this soon is an HTTP status; later the stream has begun and carries it. */
const earlyMs = 2_000;

/** `POST /v1/chat/completions` and `GET /v1/models`: any OpenAI client can talk to the agents (GW-2). */
export const mountChatRoutes: Mount = (app, { turns, clientRuns, services }) => {
  if (clientRuns === undefined || services === undefined) return;
  const completions = new ChatCompletions({ turns, clientRuns });
  const agentIds = [...new Set(["main", ...Object.keys(services.config.agents)])];
  const startedAt = Math.floor(Date.now() / 1000);
  const model = (id: string): object => ({ id, object: "model", created: startedAt, owned_by: "codemode" });
  app.get("/v1/models", (context) => context.json({ object: "list", data: agentIds.map(model) }));
  app.get("/v1/models/:id", (context) => {
    const id = context.req.param("id");
    if (agentIds.includes(id)) return context.json(model(id));
    throw new HttpError(404, "model_not_found", `there is no agent ${id}; agents: ${agentIds.join(", ")}.`);
  });
  app.post("/v1/chat/completions", async (context) => {
    const request = parseChatRequest(await context.req.text());
    const chat = completions.begin(request, context.req.header("x-session-id"));
    const envelope: ChatEnvelope = {
      id: `chatcmpl-${randomUUID()}`,
      created: Math.floor(Date.now() / 1000),
      model: request.model,
    };
    const { signal } = context.req.raw;
    if (signal.aborted) chat.abandon();
    signal.addEventListener("abort", () => chat.abandon(), { once: true });
    if (request.stream !== true) {
      const end = await chat.end;
      return context.json(toCompletion(envelope, chat.text, end));
    }
    await early(chat);
    return context.body(
      chatStream(chat, { envelope, withUsage: request.stream_options?.include_usage === true }),
      200,
      { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" },
    );
  });
};

/** Resolves when there is something to stream, or it takes long; rejects with a failure that came first. */
async function early(chat: OpenChat): Promise<void> {
  const begun = Promise.withResolvers<void>();
  const timer = setTimeout(begun.resolve, earlyMs);
  chat.onText(() => begun.resolve());
  if (chat.text !== "") begun.resolve();
  try {
    await Promise.race([begun.promise, chat.end]);
  } finally {
    clearTimeout(timer);
  }
}
