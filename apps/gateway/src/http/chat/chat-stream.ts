import { messageOf } from "@code-mode/contract";
import type { OpenChat } from "./chat-completions.ts";
import { type ChatEnvelope, toChunk, toLastChunks } from "./chat-format.ts";
import { toOpenAiError } from "./openai-error.ts";

/** A comment now and then keeps proxies and clients from giving up on an agent that works silently. */
const heartbeatMs = 15_000;

/** Options of `chatStream`. */
export type ChatStreamOptions = { readonly envelope: ChatEnvelope; readonly withUsage: boolean };

/** The server-sent events of one streamed answer; a failure is an `error` event, because the status is out already. */
export function chatStream(chat: OpenChat, { envelope, withUsage }: ChatStreamOptions): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let heartbeat: NodeJS.Timeout | undefined;
  let open = true;
  return new ReadableStream<Uint8Array>({
    start: async (controller) => {
      const send = (text: string): void => {
        if (open) controller.enqueue(encoder.encode(text));
      };
      const sendData = (data: object): void => send(`data: ${JSON.stringify(data)}\n\n`);
      heartbeat = setInterval(() => send(": still at work\n\n"), heartbeatMs);
      sendData(toChunk(envelope, { role: "assistant", content: "" }));
      if (chat.text !== "") sendData(toChunk(envelope, { content: chat.text }));
      chat.onText((delta) => sendData(toChunk(envelope, { content: delta })));
      try {
        const end = await chat.end;
        for (const chunk of toLastChunks(envelope, end, { withUsage })) sendData(chunk);
        send("data: [DONE]\n\n");
      } catch (error) {
        sendData({ ...toOpenAiError(error).body, message: messageOf(error) });
      }
      clearInterval(heartbeat);
      if (open) controller.close();
      open = false;
    },
    cancel: () => {
      open = false;
      clearInterval(heartbeat);
      chat.abandon();
    },
  });
}
