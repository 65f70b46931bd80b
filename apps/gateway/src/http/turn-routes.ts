import type { Context, Hono } from "hono";
import { z } from "zod";
import { isKnownGroup, toolGroups } from "../policy/tool-groups.ts";
import type { TurnRequest } from "../turns/turn.ts";
import { type TurnStreamOptions, turnStream } from "../turns/turn-stream.ts";
import type { GatewayParts } from "./gateway-parts.ts";
import { HttpError } from "./http-error.ts";
import { settleTurn } from "./settle-turn.ts";
import { socketOf } from "./socket-of.ts";

const rules = z
  .array(
    z
      .string()
      .min(1)
      .refine((rule) => !rule.startsWith("group:") || isKnownGroup(rule), {
        error: `unknown group; groups are ${Object.keys(toolGroups).join(", ")}`,
      }),
  )
  .optional();

const clientTool = z.strictObject({
  name: z.string().min(1),
  description: z.string().optional(),
  parameters: z.record(z.string(), z.unknown()).optional(),
});

const turnRequest = z.strictObject({
  agent: z.string().min(1).optional(),
  message: z.string().min(1),
  sender: z.string().optional(),
  channel: z.string().optional(),
  clientTools: z.array(clientTool).optional(),
  disableTools: z.boolean().optional(),
  tools: z.strictObject({ allow: rules, deny: rules }).optional(),
});

/**
 * Adds the routes that run turns (GW-3). A turn belongs to its session, not to the connection: a client that went away
 * attaches again with `GET …/events` and the `Last-Event-ID` it has seen, or ends the turn with `POST …/abort`.
 */
export function mountTurnRoutes(app: Hono, { turns, clientRuns }: GatewayParts): void {
  app.post("/api/sessions/:id/turns", async (context) => {
    const request = parseTurnRequest(await context.req.text());
    const turn = turns.start(context.req.param("id"), request);
    if (wantsJson(context)) return context.json(await settleTurn(turn, clientRuns?.of(turn.agentRunId)));
    return eventStream(context, { log: turns.sessions, turns, sessionId: turn.sessionId, after: turn.firstSeq - 1 });
  });
  app.get("/api/sessions/:id/events", (context) => {
    const sessionId = context.req.param("id");
    const session = turns.sessions.find(sessionId);
    if (session === undefined) throw new HttpError(404, "unknown_session", "there is no such session.");
    // an id from before a deletion of the session lies beyond its end
    const after = Math.min(lastEventId(context), session.events - 1);
    const follow = context.req.query("follow") === "1";
    return eventStream(context, { log: turns.sessions, turns, sessionId, after, follow });
  });
  app.post("/api/sessions/:id/abort", async (context) => {
    const sessionId = context.req.param("id");
    const turn = turns.running(sessionId);
    turn?.abort("somebody asked for it.");
    await turn?.done.catch(() => undefined);
    return context.json({ sessionId, aborted: turn !== undefined });
  });
}

function eventStream(context: Context, options: TurnStreamOptions): Response {
  const onCut = (): void => void socketOf(context)?.destroy();
  return context.body(turnStream({ ...options, onCut }), 200, {
    "content-type": "text/event-stream",
    "cache-control": "no-store",
    // a proxy that collects the answer would turn live text into one late block
    "x-accel-buffering": "no",
  });
}

/** Events unless the client asks for JSON and does not take events. */
function wantsJson(context: Context): boolean {
  const accept = context.req.header("accept") ?? "";
  return accept.includes("application/json") && !accept.includes("text/event-stream");
}

/** Where to go on; without the header from the beginning. */
function lastEventId(context: Context): number {
  const id = context.req.header("last-event-id") ?? context.req.query("after");
  if (id === undefined || id === "") return -1;
  if (/^\d{1,15}$/.test(id)) return Number(id);
  throw new HttpError(400, "invalid_input", "Last-Event-ID: expected the id of an event of this session, a number.");
}

function parseTurnRequest(text: string): TurnRequest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new HttpError(400, "invalid_input", 'the body is no JSON; send {"message": "…"}.');
  }
  const parsed = turnRequest.safeParse(value);
  if (parsed.success) return parsed.data as TurnRequest;
  const faults = parsed.error.issues.map((issue) => `${issue.path.join(".") || "body"}: ${issue.message}`);
  throw new HttpError(
    400,
    "invalid_input",
    `${faults.join("; ")}. Send {"message": "…"} with optional agent, sender, channel, clientTools, disableTools, tools: {allow, deny}.`,
  );
}
