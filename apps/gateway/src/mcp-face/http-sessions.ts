import { randomBytes } from "node:crypto";
import type { FaceSession, McpServerFace } from "@code-mode/mcp";
import { type Server, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import type { ElicitRoute } from "./elicit-approval.ts";
import { callIdsOf, opensSession, rpcError } from "./mcp-messages.ts";

/** Options of `HttpSessions`. */
export type HttpSessionsOptions = {
  readonly face: McpServerFace;
  /** A session is over: end its cells. */
  endSession(session: FaceSession): Promise<void>;
  /** A session has begun; returns what to undo at its end. */
  onOpen?(session: FaceSession, server: Server, route: Pick<ElicitRoute, "openCall" | "isListening">): () => void;
  readonly maxSessions: number;
  /** A session without a request for this long is over. */
  readonly idleMs: number;
};

type Entry = {
  readonly session: FaceSession;
  readonly server: Server;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  lastUsedAt: number;
  /** Calls whose answers are not complete. */
  calls: number;
  /** Streams of a client that listens. */
  streams: number;
  /** Ids of the tool calls that are being answered. */
  readonly openCalls: Set<string | number>;
  undo: (() => void) | undefined;
};

const sessionHeader = "mcp-session-id";

/** Sessions of clients that speak the protocol of 2025: one `initialize` is one session and one agent run (MCPS-2). */
export class HttpSessions implements AsyncDisposable {
  readonly #options: HttpSessionsOptions;
  /** Least recently used first. */
  readonly #entries = new Map<string, Entry>();
  readonly #sweep: NodeJS.Timeout;

  constructor(options: HttpSessionsOptions) {
    this.#options = options;
    this.#sweep = setInterval(() => this.#endIdle(), Math.min(60_000, options.idleMs));
    this.#sweep.unref();
  }

  /** Sessions that are open. */
  get size(): number {
    return this.#entries.size;
  }

  /** Serves one request; an unknown session is a 404, after which clients open a new one. */
  async fetch(request: Request, parsedBody: unknown): Promise<Response> {
    const id = request.headers.get(sessionHeader);
    if (id === null)
      return opensSession(parsedBody)
        ? this.#open(request, parsedBody)
        : rpcError(400, -32000, "no Mcp-Session-Id header; send initialize first.");
    const entry = this.#entries.get(id);
    if (entry === undefined) return rpcError(404, -32001, "there is no such session; send initialize again.");
    this.#entries.delete(id);
    this.#entries.set(id, entry);
    return this.#serve(entry, request, parsedBody);
  }

  /** Tells clients whose list of tools looks different now. */
  async announceChanges(): Promise<void> {
    const told = [...this.#entries.values()].map(async ({ session, server }) => {
      if (await session.refresh()) await server.sendToolListChanged();
    });
    const failed = (await Promise.allSettled(told)).find((end) => end.status === "rejected");
    // one client that is gone keeps nobody else from hearing
    if (failed !== undefined) throw failed.reason;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#sweep);
    await Promise.all([...this.#entries.keys()].map((id) => this.#end(id)));
  }

  async #open(request: Request, parsedBody: unknown): Promise<Response> {
    if (!(await this.#makeRoom()))
      return rpcError(503, -32000, `all ${this.#options.maxSessions} sessions are busy; try again later.`);
    const { face } = this.#options;
    const session = face.openSession();
    const transport: WebStandardStreamableHTTPServerTransport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomBytes(16).toString("hex"),
      onsessioninitialized: (id) => void this.#entries.set(id, entry),
      onsessionclosed: (id) => this.#end(id),
    });
    const server = face.createServer(session, "legacy");
    const entry: Entry = {
      session,
      server,
      transport,
      lastUsedAt: Date.now(),
      calls: 0,
      streams: 0,
      openCalls: new Set(),
      undo: undefined,
    };
    await server.connect(transport);
    entry.undo = this.#options.onOpen?.(session, server, {
      openCall: () => entry.openCalls.values().next().value,
      isListening: () => entry.streams > 0,
    });
    const response = await this.#serve(entry, request, parsedBody);
    // a refused initialize opened nothing
    if (transport.sessionId === undefined) {
      entry.undo?.();
      await transport.close();
    }
    return response;
  }

  async #serve(entry: Entry, request: Request, parsedBody: unknown): Promise<Response> {
    const kind = request.method === "GET" ? "streams" : "calls";
    const ids = callIdsOf(parsedBody);
    entry[kind] += 1;
    for (const id of ids) entry.openCalls.add(id);
    const done = (): void => {
      entry[kind] -= 1;
      for (const id of ids) entry.openCalls.delete(id);
      entry.lastUsedAt = Date.now();
    };
    try {
      const options = parsedBody === undefined ? {} : { parsedBody };
      return withEnd(await entry.transport.handleRequest(request, options), done);
    } catch (error) {
      done();
      throw error;
    }
  }

  async #makeRoom(): Promise<boolean> {
    if (this.#entries.size < this.#options.maxSessions) return true;
    const idle = [...this.#entries].find(([, { calls }]) => calls === 0);
    if (idle === undefined) return false;
    await this.#end(idle[0]);
    return true;
  }

  #endIdle(): void {
    const before = Date.now() - this.#options.idleMs;
    for (const [id, { calls, streams, lastUsedAt }] of this.#entries)
      if (calls + streams === 0 && lastUsedAt < before) void this.#end(id);
  }

  async #end(id: string): Promise<void> {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#entries.delete(id);
    entry.undo?.();
    await this.#options.endSession(entry.session);
    await entry.transport.close();
  }
}

/** Calls `done` once when the body of an answer was sent or given up. */
function withEnd(response: Response, done: () => void): Response {
  if (response.body === null) {
    done();
    return response;
  }
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  void response.body.pipeTo(writable).then(done, done);
  return new Response(readable, response);
}
