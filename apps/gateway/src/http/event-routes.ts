import type { Hono } from "hono";
import type { GatewayParts } from "./gateway-parts.ts";

/** Silence after which a comment is sent: dead connections show only when something is written. */
const heartbeatMs = 15_000;

/** A client that is this many events behind is cut off; it can read what it missed from the trajectories. */
const maxBehind = 1_000;

/** Adds the stream of what happens in all sessions, from now on (GW-4). */
export function mountEventRoutes(app: Hono, { store }: GatewayParts): void {
  if (store === undefined) return;
  app.get("/api/events", (context) => {
    const stream = eventStream((send) =>
      store.subscribe(undefined, (sessionId, event) => send(event.type, { sessionId, ...event })),
    );
    return context.body(stream, 200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  });
}

type Send = (name: string, data: object) => void;

function eventStream(subscribe: (send: Send) => () => void): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let end: () => void = () => undefined;
  return new ReadableStream({
    start(controller) {
      const write = (text: string): void => controller.enqueue(encoder.encode(text));
      const unsubscribe = subscribe((name, data) => {
        write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
        if ((controller.desiredSize ?? 0) > -maxBehind) return;
        end();
        write("event: overflow\ndata: {}\n\n");
        controller.close();
      });
      const heartbeat = setInterval(() => write(": alive\n\n"), heartbeatMs);
      heartbeat.unref();
      end = () => {
        clearInterval(heartbeat);
        unsubscribe();
      };
      write(": open\n\n");
    },
    cancel: () => end(),
  });
}
