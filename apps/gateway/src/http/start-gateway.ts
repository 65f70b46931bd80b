import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { CodeModeError, messageOf } from "@code-mode/contract";
import { createApp } from "./create-app.ts";
import { createHttpServer, type HttpLimits } from "./create-http-server.ts";
import { FailedAttempts, type FailedAttemptsOptions } from "./failed-attempts.ts";
import type { GatewayParts } from "./gateway-parts.ts";
import { OpenRequests } from "./open-requests.ts";
import { bareAddress } from "./socket-of.ts";

/** Where and for whom to listen. */
export type StartGatewayOptions = GatewayParts & {
  /** Name or address to listen on; IPv6 with or without brackets. */
  readonly host: string;
  readonly port: number;
  readonly token: string;
  /** More names under which clients reach the gateway. */
  readonly allowedHosts?: readonly string[] | undefined;
  readonly limits?: HttpLimits | undefined;
  /** When wrong tokens lock an address out. */
  readonly lockout?: FailedAttemptsOptions | undefined;
  /** Hears what goes wrong with the listening socket, such as too many open files. */
  onError?(error: Error): void;
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
  const { host, port: wantedPort, limits, lockout, allowedHosts = [], onError, ...rest } = options;
  const address = bareAddress(host);
  const hosts = [...new Set([address, "127.0.0.1", "localhost", "::1", ...allowedHosts])];
  let closing: Promise<void> | undefined;
  const attempts = new FailedAttempts(lockout);
  const app = createApp({ ...rest, hosts, attempts, isClosing: () => closing !== undefined });
  const server = createHttpServer(app.fetch, limits);
  const port = await listen(server, address, wantedPort);
  server.on("error", (error) => onError?.(error));
  const open = new OpenRequests(server);
  const closeOnce = (graceMs: number): Promise<void> => {
    closing ??= Promise.resolve().then(() => close({ server, open, graceMs, ...rest }));
    return closing;
  };
  return {
    url: `http://${address.includes(":") ? `[${address}]` : address}:${port}`,
    drain: closeOnce,
    [Symbol.asyncDispose]: () => closeOnce(0),
  };
}

/** Longest that answers about ended work may take to be written. */
const answersMs = 1_000;

type Closing = Pick<GatewayParts, "turns" | "mcp" | "store"> & {
  readonly server: Server;
  readonly open: OpenRequests;
  readonly graceMs: number;
};

/** The order matters: no new work, end of old work, what ends it, then the connections that may have heard of it. */
async function close({ server, open, graceMs, turns, mcp, store }: Closing): Promise<void> {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  await within(graceMs, Promise.all([open.done(), turns.idle()]));
  await turns[Symbol.asyncDispose]();
  await mcp[Symbol.asyncDispose]();
  // a store that cannot write has said so; there is nothing left to do about it here
  await store?.flush().catch(() => undefined);
  // the last answers are on their way
  await within(answersMs, open.done());
  server.closeAllConnections();
  await closed;
}

async function listen(server: Server, host: string, port: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen({ host, port }, resolve);
  try {
    await promise;
  } catch (error) {
    throw new CodeModeError(
      "invalid_input",
      `cannot listen on ${host}:${port} (${messageOf(error)}). Set gateway.port to a free port or 0.`,
      { cause: error },
    );
  }
  server.off("error", reject);
  return (server.address() as AddressInfo).port;
}

async function within(timeoutMs: number, work: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, timeoutMs);
  await Promise.race([work, late.promise]);
  clearTimeout(timer);
}
