import type { Hono } from "hono";
import type { SessionInfo, TranscriptStore } from "../store/transcript-store.ts";
import type { GatewayParts } from "./gateway-parts.ts";
import { HttpError } from "./http-error.ts";

/** Events that are read from the store at once, so that a long trajectory does not stand in memory. */
const eventsAtOnce = 500;

/** Adds the routes that show and delete sessions (GW-4). */
export function mountSessionRoutes(app: Hono, { turns, store, services }: GatewayParts): void {
  if (store === undefined) return;
  const show = (info: SessionInfo): object => ({ ...info, running: turns.running(info.id) !== undefined });
  app.get("/api/sessions", (context) => context.json({ sessions: store.sessions().map(show) }));
  app.get("/api/sessions/:id", (context) => context.json(show(sessionOf(store, context.req.param("id")))));
  app.delete("/api/sessions/:id", async (context) => {
    const { id } = sessionOf(store, context.req.param("id"));
    const turn = turns.running(id);
    turn?.abort("the session was deleted.");
    services?.approvals.closeSession(id);
    await services?.codeMode?.endSession(id);
    await turn?.done.catch(() => undefined);
    await store.deleteSession(id);
    return context.json({ deleted: id });
  });
  app.get("/api/sessions/:id/trajectory", (context) => {
    const { id } = sessionOf(store, context.req.param("id"));
    return context.body(trajectoryLines(store, id), 200, { "content-type": "application/x-ndjson" });
  });
}

function sessionOf(store: TranscriptStore, id: string): SessionInfo {
  const found = store.session(id);
  if (found === undefined) throw new HttpError(404, "unknown_session", "there is no such session.");
  return found;
}

function trajectoryLines(store: TranscriptStore, id: string): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let after = -1;
  return new ReadableStream(
    {
      pull(controller) {
        const events = store.events(id, { after, limit: eventsAtOnce });
        after = events.at(-1)?.seq ?? after;
        if (events.length > 0)
          controller.enqueue(encoder.encode(events.map((event) => `${JSON.stringify(event)}\n`).join("")));
        if (events.length < eventsAtOnce) controller.close();
      },
    },
    { highWaterMark: 1 },
  );
}
