import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What the server sends for one request: its body in the pieces in which it goes out. */
export type WireReply = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly pieces: readonly (string | Uint8Array)[];
  /** Break the connection off instead of ending the body. */
  readonly breakOff?: boolean;
  /** Waits after the pieces. */
  readonly until?: Promise<unknown>;
  /** What follows after that. */
  readonly afterwards?: readonly (string | Uint8Array)[];
};

/** One request as it came in. */
export type WireRequest = {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of many formats
  readonly body: any;
};

/** A server on loopback that plays prepared replies, one per request, the last one for ever. */
export type LoopbackProvider = AsyncDisposable & { readonly url: string; readonly requests: readonly WireRequest[] };

/** Starts a server that speaks whatever wire format the replies are written in. */
export async function startLoopbackProvider(
  replies: readonly WireReply[] | ((index: number) => WireReply),
): Promise<LoopbackProvider> {
  const requests: WireRequest[] = [];
  const server = createServer((request, response) => {
    void readBody(request).then(async (text) => {
      const index = requests.push({ path: request.url ?? "", headers: request.headers, body: JSON.parse(text) }) - 1;
      const reply = typeof replies === "function" ? replies(index) : (replies[index] ?? replies.at(-1));
      await write(response, reply as WireReply);
    });
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      server.closeAllConnections();
      await closed.promise;
    },
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString("utf8");
}

/** Each piece is handed to the socket before the next one, so that it arrives as one of its own. */
async function write(response: ServerResponse, reply: WireReply): Promise<void> {
  response.socket?.setNoDelay(true);
  response.writeHead(reply.status ?? 200, { "content-type": "text/event-stream", ...reply.headers });
  const send = (piece: string | Uint8Array): Promise<void> =>
    new Promise((done) => void response.write(piece, () => setImmediate(done)));
  for (const piece of reply.pieces) await send(piece);
  await reply.until;
  for (const piece of reply.afterwards ?? []) await send(piece);
  if (reply.breakOff === true) response.destroy();
  else response.end();
}
