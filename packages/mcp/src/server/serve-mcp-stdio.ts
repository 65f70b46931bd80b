import type { Readable, Writable } from "node:stream";
import type { RunScope } from "@code-mode/contract";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { createMcpServerFace } from "./create-mcp-server-face.ts";
import type { McpServerFaceOptions } from "./face-options.ts";
import { ProtocolStdout } from "./protocol-stdout.ts";

/** Options of `serveMcpStdio`. */
export type ServeMcpStdioOptions = McpServerFaceOptions & {
  /** The client went away or `close` was called: end the session's cells here. Called once; `closed` waits for it. */
  onClose?(scope: RunScope): void | Promise<void>;
  /** Errors that no request can carry, such as unreadable input. */
  onError?(error: Error): void;
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
  const transport = new NotifyingTransport(options.stdin ?? process.stdin, options.stdout ?? (guarded as Writable));
  transport.onEnd = () => {
    guarded?.[Symbol.dispose]();
    resolve((async () => options.onClose?.(session.scope))());
  };
  const handle = serveStdio(() => face.createServer(session), {
    transport,
    onerror: (error) => options.onError?.(error),
  });
  const close = async (): Promise<void> => {
    await handle.close();
    await transport.close();
    await closed;
  };
  // whoever does not look at `closed` must not be ended by it
  closed.catch(() => undefined);
  return { scope: session.scope, closed, close, [Symbol.asyncDispose]: close };
}

/** Tells once when the connection is over, whichever side ended it. */
class NotifyingTransport extends StdioServerTransport {
  onEnd: (() => void) | undefined;

  override async close(): Promise<void> {
    await super.close();
    const tell = this.onEnd;
    this.onEnd = undefined;
    tell?.();
  }
}
