import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import { HttpError, toHttpAnswer } from "./http-error.ts";

/** How long and how large requests may be; all have defaults. */
export type HttpLimits = {
  /** For the request line and headers. Default 15 s. */
  readonly headersTimeoutMs?: number;
  /** For the whole request, body included. Default 60 s; answers may take as long as they like. */
  readonly requestTimeoutMs?: number;
  /** How often slow connections are looked for. Default 5 s. */
  readonly checkIntervalMs?: number;
};

/** Request line and headers together; more is answered with 431. */
const maxHeaderBytes = 16 * 1024;

/**
 * An HTTP server that answers everything with JSON, also what is no request (GW-1). Slow clients are ended: a connection
 * costs a file descriptor and a parser.
 */
export function createHttpServer(fetch: Parameters<typeof getRequestListener>[0], limits: HttpLimits = {}): Server {
  const listener = getRequestListener(fetch, { errorHandler: answerUnreadable });
  const server = createServer(
    {
      headersTimeout: limits.headersTimeoutMs ?? 15_000,
      requestTimeout: limits.requestTimeoutMs ?? 60_000,
      connectionsCheckingInterval: limits.checkIntervalMs ?? 5_000,
      maxHeaderSize: maxHeaderBytes,
      // a missing Host is refused by the app, with a body
      requireHostHeader: false,
    },
    (request, response) => void listener(request, response),
  );
  const open = new WeakMap<Duplex, Exchange>();
  server.on("request", (request, response) => open.set(request.socket, { request, response }));
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const last = open.get(socket);
    if ((last !== undefined && !mayAnswer(last)) || !socket.writable || error.code === "ECONNRESET") socket.destroy();
    else endWith(socket, describeBroken(error));
  });
  server.on("checkExpectation", (request: IncomingMessage) =>
    endWith(request.socket, new HttpError(417, "expectation_failed", "only Expect: 100-continue is understood.")),
  );
  server.on("connect", (_request, socket) =>
    endWith(socket, new HttpError(405, "method_not_allowed", "this is no proxy: CONNECT is refused.")),
  );
  return server;
}

type Exchange = { readonly request: IncomingMessage; readonly response: ServerResponse };

/** No second answer to a request whose body broke off late, and no answer in the place of one that is still owed. */
function mayAnswer({ request, response }: Exchange): boolean {
  return request.complete ? response.writableFinished : !response.headersSent;
}

/** A request that the parser took and that has no URL: no or a malformed Host, a malformed target. */
function answerUnreadable(): Response {
  return Response.json(
    toHttpAnswer(new HttpError(400, "bad_request", "the request has no usable Host header or target.")).body,
    { status: 400, headers: { connection: "close" } },
  );
}

function describeBroken({ code }: NodeJS.ErrnoException): HttpError {
  if (code === "HPE_HEADER_OVERFLOW")
    return new HttpError(431, "headers_too_large", `the headers are larger than ${maxHeaderBytes} bytes.`);
  if (code === "HPE_CHUNK_EXTENSIONS_OVERFLOW")
    return new HttpError(413, "payload_too_large", "the chunk extensions of the body are too large.");
  if (code === "ERR_HTTP_REQUEST_TIMEOUT")
    return new HttpError(408, "request_timeout", "the request did not arrive in time.");
  return new HttpError(400, "bad_request", "this is no valid HTTP/1.1 request.");
}

const reasons: Readonly<Record<number, string>> = {
  400: "Bad Request",
  405: "Method Not Allowed",
  408: "Request Timeout",
  413: "Payload Too Large",
  417: "Expectation Failed",
  431: "Request Header Fields Too Large",
};

function endWith(socket: Duplex, error: HttpError): void {
  const { status, body } = toHttpAnswer(error);
  const text = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${status} ${reasons[status] ?? "Error"}`,
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(text)}`,
    "x-content-type-options: nosniff",
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${text}`, () => socket.destroy());
}
