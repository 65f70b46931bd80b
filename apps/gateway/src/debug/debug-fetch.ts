import { messageOf } from "@code-mode/contract";
import type { Debug } from "./open-debug.ts";
import { toolNamesIn } from "./tool-names-in.ts";
import { watchEvents } from "./watch-events.ts";

type Fetch = typeof globalThis.fetch;

/** A `fetch` for model requests that says what goes over the wire, as far as the debug variables ask for it (DBG-1). */
export function debugFetch(send: Fetch, { log, flags }: Debug): Fetch {
  return async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    const text = typeof init?.body === "string" ? init.body : undefined;
    const startedAt = performance.now();
    const ms = (): number => Math.round(performance.now() - startedAt);
    log.modelTransport("request", { method: init?.method ?? "GET", url, bytes: Buffer.byteLength(text ?? "") });
    if (flags.modelPayload !== "off" && text !== undefined) {
      const body = parse(text);
      log.modelPayload({ toolNames: toolNamesIn(body), body });
    }
    try {
      const response = await send(input, init);
      const type = response.headers.get("content-type") ?? "";
      log.modelTransport("response", { status: response.status, type, ms: ms() });
      if (flags.sse === "off" || !type.startsWith("text/event-stream")) return response;
      return watchEvents(response, log.openStream());
    } catch (error) {
      log.modelTransport("failed", { error: messageOf(error), ms: ms() });
      throw error;
    }
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // logged as it is
    return text;
  }
}
