import { createMcpServerFace } from "@code-mode/mcp";
import { createMcpHandler, isLegacyRequest, type McpHttpHandler } from "@modelcontextprotocol/server";
import { ChangeAnnouncer } from "./change-announcer.ts";
import { elicitApproval } from "./elicit-approval.ts";
import { HttpSessions } from "./http-sessions.ts";
import { clientOf, rpcError } from "./mcp-messages.ts";
import type { McpSurface } from "./mcp-surface.ts";
import { RequestSessions } from "./request-sessions.ts";

/** Options of `createMcpHttp`; all have defaults. */
export type McpHttpOptions = {
  /** Most sessions of clients that open some. Default 256: each costs little, but a leak must end. */
  readonly maxSessions?: number;
  /** A session without a request for this long is over. Default one hour. */
  readonly idleMs?: number;
  onError?(error: Error): void;
};

/** `POST /mcp` (GW-5). Disposing ends all sessions. */
export type McpHttp = AsyncDisposable & { fetch(request: Request): Promise<Response> };

/** Longer than the runtime keeps a suspended program, so that it is the runtime that ends it. */
const ttlSlackMs = 60_000;

/** Serves the MCP surface over streamable HTTP to clients of both protocol eras. */
export function createMcpHttp(surface: McpSurface, options: McpHttpOptions = {}): McpHttp {
  const faceOptions = surface.faceOptions();
  const face = createMcpServerFace(faceOptions);
  const sessions = new HttpSessions({
    face,
    endSession: ({ scope }) => surface.endSession(scope),
    onOpen: ({ scope }, server, route) =>
      surface.attend(scope, elicitApproval(server, { ...route, timeoutMs: surface.snapshotTtlSeconds * 1000 })),
    maxSessions: options.maxSessions ?? 256,
    idleMs: options.idleMs ?? 3_600_000,
  });
  const single = new RequestSessions({
    face,
    endSession: (scope) => surface.endSession(scope),
    ttlMs: surface.snapshotTtlSeconds * 1000 + ttlSlackMs,
  });
  const modern = createMcpHandler(
    ({ authInfo }) => face.createServer(single.open(authInfo?.clientId ?? ""), "modern"),
    {
      legacy: "reject",
      onerror: (error) => options.onError?.(error),
    },
  );
  const changes = new ChangeAnnouncer({
    subscribe: (listener) => faceOptions.onToolsChange?.(listener),
    sample: face.openSession(),
    onChange: () => modern.notify.toolsChanged(),
    announce: () => sessions.announceChanges(),
    onError: (error) => options.onError?.(error),
  });
  return {
    fetch: (request) => {
      changes.watch();
      return serve(request, { sessions, modern });
    },
    async [Symbol.asyncDispose]() {
      changes[Symbol.dispose]();
      await modern.close();
      await sessions[Symbol.asyncDispose]();
    },
  };
}

type Eras = { readonly sessions: HttpSessions; readonly modern: McpHttpHandler };

async function serve(request: Request, { sessions, modern }: Eras): Promise<Response> {
  if (request.method !== "POST") return sessions.fetch(request, undefined);
  let parsedBody: unknown;
  try {
    parsedBody = JSON.parse(await request.text());
  } catch {
    return rpcError(400, -32700, "the body is no JSON.");
  }
  if (await isLegacyRequest(request, parsedBody)) return sessions.fetch(request, parsedBody);
  // not for authentication, which the gateway has done: it carries who asks to the factory
  const authInfo = { token: "", clientId: clientOf(parsedBody), scopes: [] };
  return modern.fetch(request, { parsedBody, authInfo });
}
