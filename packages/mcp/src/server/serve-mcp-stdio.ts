import type { Readable, Writable } from "node:stream";
import type { RunScope } from "@code-mode/contract";
import type { Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createMcpServerFace, type FaceEra } from "./create-mcp-server-face.ts";
import type { McpServerFaceOptions } from "./face-options.ts";
import type { FaceSession } from "./face-session.ts";
import { FaceTransport } from "./face-transport.ts";
import { ProtocolStdout } from "./protocol-stdout.ts";

/** Options of `serveMcpStdio`. */
export type ServeMcpStdioOptions = McpServerFaceOptions & {
  /** The client went away or `close` was called: end the session's cells here. Called once; `closed` waits for it. */
  onClose?(scope: RunScope): void | Promise<void>;
  /** Errors that no request can carry, such as unreadable input. */
  onError?(error: Error): void;
  /** A client of the protocol of 2025 is served by this object, which can also ask it. Returns what to undo at the end. */
  onServer?(server: Server, scope: RunScope): (() => void) | undefined;
  /** How long requests are still answered after the client closed its side. Default 5000. */
  readonly drainMs?: number;
  /** Default `process.stdin`. */
  readonly stdin?: Readable;
  /** Default `process.stdout`, which then carries nothing but the protocol: other output of the process goes to stderr. */
  readonly stdout?: Writable;
};

/** A client that is being served. */
export interface McpStdioServing extends AsyncDisposable {
  readonly scope: RunScope;
  /** Resolves when the client is gone and `onClose` has ended; rejects when `onClose` does. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/** Serves one MCP client over stdio, old or new: one connection is one session and one agent run (MCPS-2). */
export function serveMcpStdio(options: ServeMcpStdioOptions): McpStdioServing {
  const face = createMcpServerFace(options);
  const session = face.openSession();
  const guarded = options.stdout === undefined ? new ProtocolStdout() : undefined;
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const undo: ((() => void) | undefined)[] = [];
  const transport = new FaceTransport({
    stdin: options.stdin ?? process.stdin,
    stdout: options.stdout ?? (guarded as Writable),
    drainMs: options.drainMs ?? 5_000,
    onEnd: () => {
      for (const step of undo) step?.();
      guarded?.[Symbol.dispose]();
      resolve((async () => options.onClose?.(session.scope))());
    },
  });
  let latest: Server | undefined;
  const serve = ({ era }: { era: FaceEra }): Server => {
    latest = face.createServer(session, era);
    if (era === "legacy") undo.push(options.onServer?.(latest, session.scope));
    return latest;
  };
  undo.push(announceChanges(options, session, () => latest));
  const handle = serveStdio(serve, { transport, onerror: (error) => options.onError?.(error) });
  const close = async (): Promise<void> => {
    await handle.close();
    await transport.close();
    await closed;
  };
  // whoever does not look at `closed` must not be ended by it
  closed.catch(() => undefined);
  return { scope: session.scope, closed, close, [Symbol.asyncDispose]: close };
}

/** Many changes come at once while servers start: they are told as one. */
const changeDelayMs = 200;

/** Tells a client that has listed the tools when they look different now. */
function announceChanges(
  options: ServeMcpStdioOptions,
  session: FaceSession,
  server: () => Server | undefined,
): (() => void) | undefined {
  let timer: NodeJS.Timeout | undefined;
  const announce = async (): Promise<void> => {
    timer = undefined;
    if (await session.refresh()) await server()?.sendToolListChanged();
  };
  const stop = options.onToolsChange?.(() => {
    timer ??= setTimeout(
      () => void announce().catch((error: Error) => options.onError?.(error)),
      changeDelayMs,
    ).unref();
  });
  return () => {
    clearTimeout(timer);
    stop?.();
  };
}
