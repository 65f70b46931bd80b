import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { Hono } from "hono";
import type { ApprovalDesk } from "../policy/approval-desk.ts";
import { requireOwnHost, requireToken } from "./access.ts";
import { mountApprovals } from "./approval-routes.ts";
import { createHttpServer } from "./create-http-server.ts";
import { registerEndpoint } from "./endpoint-registry.ts";
import { FailedAttempts } from "./failed-attempts.ts";
import { limitBody, requireJsonBody } from "./guard-body.ts";
import { toHttpAnswer } from "./http-error.ts";
import { answerUnknownRoute } from "./unknown-route.ts";

/** Options of `ApprovalsEndpoint`. */
export type ApprovalsEndpointOptions = {
  readonly approvals: ApprovalDesk;
  /** Where the endpoint is registered, so that `codemode approvals` finds it. */
  readonly dataDir: string;
  /** Hears why it could not be opened; calls then only wait for the client's own user, or expire. */
  onError(error: unknown): void;
};

/**
 * Lets a process without a gateway take decisions (MCPS-4): a server on a free loopback port with a token of its own that
 * serves nothing but approvals. Opened by the first call that needs one, because most processes never have any.
 */
export class ApprovalsEndpoint implements AsyncDisposable {
  readonly #options: ApprovalsEndpointOptions;
  readonly #leave: () => void;
  #opening: Promise<AsyncDisposable | undefined> | undefined;

  constructor(options: ApprovalsEndpointOptions) {
    this.#options = options;
    this.#leave = options.approvals.onEvent(({ type }) => {
      if (type === "approval_requested") this.#opening ??= this.#open();
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#leave();
    const opened = await this.#opening;
    await opened?.[Symbol.asyncDispose]();
  }

  async #open(): Promise<AsyncDisposable | undefined> {
    try {
      return await openEndpoint(this.#options);
    } catch (error) {
      this.#options.onError(error);
      return undefined;
    }
  }
}

async function openEndpoint({ approvals, dataDir }: ApprovalsEndpointOptions): Promise<AsyncDisposable> {
  const token = randomBytes(32).toString("base64url");
  const server = createHttpServer(createApprovalsApp(approvals, token).fetch);
  const close = async (): Promise<void> => {
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  };
  server.listen({ host: "127.0.0.1", port: 0 });
  await once(server, "listening");
  // the client decides how long this process lives, not an endpoint that nobody asks
  server.unref();
  try {
    const { port } = server.address() as AddressInfo;
    const registered = registerEndpoint(dataDir, { url: `http://127.0.0.1:${port}`, token });
    return {
      async [Symbol.asyncDispose]() {
        registered[Symbol.dispose]();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function createApprovalsApp(approvals: ApprovalDesk, token: string): Hono {
  const app = new Hono();
  app.onError((error, context) => {
    const { status, body } = toHttpAnswer(error);
    return context.json(body, status);
  });
  app.notFound(answerUnknownRoute(app));
  app.use(requireOwnHost(["127.0.0.1", "localhost"]));
  app.use(requireToken(token, new FailedAttempts()));
  app.use(requireJsonBody());
  app.use(limitBody());
  mountApprovals(app, approvals);
  return app;
}
