import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { z } from "zod";
import type { McpHttp } from "../mcp-face/mcp-http.ts";
import type { TurnRunner } from "../turns/turn-runner.ts";
import { requireOwnHost, requireToken } from "./access.ts";
import { HttpError, toHttpAnswer } from "./http-error.ts";

const maxBodyBytes = 4 * 1024 * 1024;

const turnRequest = z.strictObject({
  agent: z.string().min(1).optional(),
  message: z.string().min(1),
  sender: z.string().optional(),
  channel: z.string().optional(),
});

/** What the HTTP surface needs. */
export type AppOptions = {
  readonly token: string;
  readonly hosts: readonly string[];
  readonly turns: TurnRunner;
  readonly mcp: McpHttp;
  /** True from the moment the gateway is to end: then nothing new is taken on. */
  isClosing(): boolean;
};

/** The HTTP surface of the gateway. */
export function createApp({ token, hosts, turns, mcp, isClosing }: AppOptions): Hono {
  const app = new Hono();
  app.onError((error, context) => {
    const { status, body } = toHttpAnswer(error);
    if (status === 401) context.header("www-authenticate", "Bearer");
    return context.json(body, status);
  });
  app.notFound((context) => {
    const { status, body } = toHttpAnswer(
      new HttpError(404, "not_found", `there is no ${context.req.method} ${context.req.path}.`),
    );
    return context.json(body, status);
  });
  app.use(requireOwnHost(hosts));
  app.get("/healthz", (context) =>
    isClosing() ? context.json({ status: "closing" }, 503) : context.json({ status: "ok" }),
  );
  for (const path of ["/api/*", "/mcp"]) {
    app.use(path, requireToken(token));
    app.use(path, async (_context, next) => {
      if (isClosing()) throw new HttpError(503, "shutting_down", "the gateway is shutting down.");
      await next();
    });
    app.use(path, bodyLimit({ maxSize: maxBodyBytes, onError: tooLarge }));
  }
  app.on(["POST", "GET", "DELETE"], "/mcp", (context) => mcp.fetch(context.req.raw));
  app.post("/api/sessions/:id/turns", async (context) => {
    const request = parseTurnRequest(await context.req.text());
    return context.json(await turns.run(context.req.param("id"), request));
  });
  app.get("/api/sessions/:id/trajectory", (context) => {
    const events = turns.trajectory(context.req.param("id"));
    if (events === undefined) throw new HttpError(404, "unknown_session", "there is no such session.");
    return context.body(events.map((event) => `${JSON.stringify(event)}\n`).join(""), 200, {
      "content-type": "application/x-ndjson",
    });
  });
  return app;
}

function tooLarge(): never {
  throw new HttpError(413, "payload_too_large", `the body is larger than ${maxBodyBytes} bytes.`);
}

function parseTurnRequest(text: string): z.infer<typeof turnRequest> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new HttpError(400, "invalid_input", 'the body is no JSON; send {"message": "…"}.');
  }
  const parsed = turnRequest.safeParse(value);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => `${issue.path.join(".") || "body"}: ${issue.message}`);
  throw new HttpError(
    400,
    "invalid_input",
    `${faults.join("; ")}. Send {"message": "…"} with optional agent, sender, channel.`,
  );
}
