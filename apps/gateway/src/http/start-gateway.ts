import type { Server } from "node:http";
import { CodeModeError, messageOf } from "@code-mode/contract";
import { serve } from "@hono/node-server";
import type { McpHttp } from "../mcp-face/mcp-http.ts";
import type { TurnRunner } from "../turns/turn-runner.ts";
import { createApp } from "./create-app.ts";
import { OpenRequests } from "./open-requests.ts";

/** Where and for whom to listen. */
export type StartGatewayOptions = {
  readonly host: string;
  readonly port: number;
  readonly token: string;
  readonly turns: TurnRunner;
  readonly mcp: McpHttp;
};

/** A listening gateway; disposing stops listening and ends running turns and MCP sessions. */
export type RunningGateway = AsyncDisposable & {
  readonly url: string;
  /** Takes nothing new on, lets what runs end for at most this long, then disposes (GW-8). */
  drain(graceMs: number): Promise<void>;
};

/**
 * Starts the HTTP surface.
 * @throws CodeModeError `invalid_input` when the address cannot be used
 */
export async function startGateway(options: StartGatewayOptions): Promise<RunningGateway> {
  const hosts = [...new Set([options.host, "127.0.0.1", "localhost", "[::1]"])];
  let closing: Promise<void> | undefined;
  const { token, turns, mcp } = options;
  const app = createApp({ token, hosts, turns, mcp, isClosing: () => closing !== undefined });
  const { server, port } = await listen(options, app.fetch);
  const open = new OpenRequests(server);
  const close = async (graceMs: number): Promise<void> => {
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    server.close(() => resolve());
    await within(graceMs, Promise.all([open.done(), turns.idle()]));
    await turns[Symbol.asyncDispose]();
    await mcp[Symbol.asyncDispose]();
    server.closeAllConnections();
    await closed;
  };
  const closeOnce = (graceMs: number): Promise<void> => {
    closing ??= Promise.resolve().then(() => close(graceMs));
    return closing;
  };
  return {
    url: `http://${options.host}:${port}`,
    drain: closeOnce,
    [Symbol.asyncDispose]: () => closeOnce(0),
  };
}

async function listen(
  { host, port }: Pick<StartGatewayOptions, "host" | "port">,
  fetch: Parameters<typeof serve>[0]["fetch"],
): Promise<{ server: Server; port: number }> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const server = serve({ fetch, hostname: host, port }, (info) => resolve(info.port)) as Server;
  server.once("error", (error) =>
    reject(
      new CodeModeError(
        "invalid_input",
        `cannot listen on ${host}:${port} (${messageOf(error)}). Set gateway.port to a free port or 0.`,
        { cause: error },
      ),
    ),
  );
  return { server, port: await promise };
}

async function within(timeoutMs: number, work: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, timeoutMs);
  await Promise.race([work, late.promise]);
  clearTimeout(timer);
}
