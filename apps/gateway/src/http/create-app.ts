import { Hono, type MiddlewareHandler } from "hono";
import { requireOwnHost, requireToken } from "./access.ts";
import { mountApprovalRoutes } from "./approval-routes.ts";
import { mountChatRoutes } from "./chat/chat-routes.ts";
import { toOpenAiError } from "./chat/openai-error.ts";
import { mountClientCallRoutes } from "./client-call-routes.ts";
import { mountEventRoutes } from "./event-routes.ts";
import { FailedAttempts } from "./failed-attempts.ts";
import type { GatewayParts, Mount } from "./gateway-parts.ts";
import { limitBody, requireJsonBody } from "./guard-body.ts";
import { HttpError, toHttpAnswer } from "./http-error.ts";
import { mountMcpRoutes } from "./mcp-routes.ts";
import { mountMetricsRoutes } from "./metrics-routes.ts";
import { mountSessionRoutes } from "./session-routes.ts";
import { mountSuspendedRoutes } from "./suspended-routes.ts";
import { mountToolRoutes } from "./tool-routes.ts";
import { mountTurnRoutes } from "./turn-routes.ts";
import { answerUnknownRoute } from "./unknown-route.ts";

/** Every group of routes; each adds its own and knows nothing of the others. */
const mounts: readonly Mount[] = [
  mountApprovalRoutes,
  mountChatRoutes,
  mountClientCallRoutes,
  mountEventRoutes,
  mountMcpRoutes,
  mountMetricsRoutes,
  mountSessionRoutes,
  mountSuspendedRoutes,
  mountToolRoutes,
  mountTurnRoutes,
];

/** What the HTTP surface needs. */
export type AppOptions = GatewayParts & {
  readonly token: string;
  /** Names and addresses that the Host header may name. */
  readonly hosts: readonly string[];
  readonly attempts?: FailedAttempts | undefined;
  /** True from the moment the gateway is to end: then nothing new is taken on. */
  isClosing(): boolean;
};

/** The HTTP surface of the gateway. */
export function createApp({ token, hosts, isClosing, attempts, ...parts }: AppOptions): Hono {
  const app = new Hono();
  app.onError((error, context) => {
    const { status, body } = context.req.path.startsWith("/v1/") ? toOpenAiError(error) : toHttpAnswer(error);
    return context.json(body, status);
  });
  app.notFound(answerUnknownRoute(app));
  app.use(noGuessing);
  app.use(requireOwnHost(hosts));
  app.get("/healthz", (context) =>
    isClosing() ? context.json({ status: "closing" }, 503) : context.json({ status: "ok" }),
  );
  app.use(requireToken(token, attempts ?? new FailedAttempts()));
  app.use(async (_context, next) => {
    if (isClosing()) throw new HttpError(503, "shutting_down", "the gateway is shutting down.");
    await next();
  });
  app.use(requireJsonBody());
  app.use(limitBody());
  for (const mount of mounts) mount(app, parts);
  return app;
}

/** No browser may take an answer for a page or a script, or keep a copy of it. */
const noGuessing: MiddlewareHandler = async (context, next) => {
  await next();
  context.res.headers.set("x-content-type-options", "nosniff");
  if (!context.res.headers.has("cache-control")) context.res.headers.set("cache-control", "no-store");
};
