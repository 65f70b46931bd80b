import type { Server } from "node:http";
import { CodeModeError, messageOf } from "@code-mode/contract";
import { serve } from "@hono/node-server";
import type { TurnRunner } from "../turns/turn-runner.ts";
import { createApp } from "./create-app.ts";

/** Where and for whom to listen. */
export type StartGatewayOptions = {
  readonly host: string;
  readonly port: number;
  readonly token: string;
  readonly turns: TurnRunner;
};

/** A listening gateway; disposing stops listening and ends running turns. */
export type RunningGateway = AsyncDisposable & { readonly url: string };

/**
 * Starts the HTTP surface.
 * @throws CodeModeError `invalid_input` when the address cannot be used
 */
export async function startGateway(options: StartGatewayOptions): Promise<RunningGateway> {
  const hosts = [...new Set([options.host, "127.0.0.1", "localhost", "[::1]"])];
  const app = createApp({ token: options.token, hosts, turns: options.turns });
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const server = serve({ fetch: app.fetch, hostname: options.host, port: options.port }, (info) =>
    resolve(info.port),
  ) as Server;
  server.once("error", (error) =>
    reject(
      new CodeModeError(
        "invalid_input",
        `cannot listen on ${options.host}:${options.port} (${messageOf(error)}). Set gateway.port to a free port or 0.`,
        { cause: error },
      ),
    ),
  );
  const port = await promise;
  return {
    url: `http://${options.host}:${port}`,
    async [Symbol.asyncDispose]() {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      await options.turns[Symbol.asyncDispose]();
      server.closeAllConnections();
      await closed.promise;
    },
  };
}
