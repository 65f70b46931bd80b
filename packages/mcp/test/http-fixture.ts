import { randomUUID } from "node:crypto";
import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { NodeStreamableHTTPServerTransport, toNodeHandler } from "@modelcontextprotocol/node";
import {
  createMcpHandler,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type McpHttpHandler,
  Server,
  type ServerContext,
  type Tool,
} from "@modelcontextprotocol/server";
import { onTestFinished } from "vitest";

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

/** A real HTTP server on a free port of 127.0.0.1 that can vanish and come back. */
export class HttpFixture {
  readonly #handler: Handler;
  #server: HttpServer | undefined;
  #port = 0;

  constructor(handler: Handler) {
    this.#handler = handler;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/mcp`;
  }

  async listen(): Promise<this> {
    const server = createServer((request, response) => void this.#handler(request, response));
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(this.#port, "127.0.0.1", resolve));
    this.#port = (server.address() as AddressInfo).port;
    return this;
  }

  async vanish(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }
}

/** Starts an HTTP server that is gone after the test. */
export async function serveHttp(handler: Handler): Promise<HttpFixture> {
  const fixture = await new HttpFixture(handler).listen();
  onTestFinished(() => fixture.vanish());
  return fixture;
}

/** What the tools below tell the test. */
export type Seen = {
  hanging: PromiseWithResolvers<void>;
  cancelled: PromiseWithResolvers<void>;
  headers: string[];
  moreTools: Tool[];
};

/** An MCP server with a few tools, broken ones among them. */
export function buildServer(seen: Seen): Server {
  const server = new Server({ name: "http", version: "1.0.0" }, { capabilities: { tools: { listChanged: true } } });
  const object = { type: "object" as const };
  server.setRequestHandler("tools/list", () => ({
    tools: [
      ...seen.moreTools,
      { name: "echo", inputSchema: object },
      { name: "hang", inputSchema: object },
      { name: "progress", inputSchema: object },
      { name: "ask", inputSchema: object },
      { name: "null_description", description: null, inputSchema: object } as unknown as Tool,
      { name: "no_schema" } as unknown as Tool,
      {
        name: "mirror",
        inputSchema: { type: "object", properties: { region: { type: "string", "x-mcp-header": "Region" } } },
      } as Tool,
    ],
  }));
  server.setRequestHandler("tools/call", async (request, context) => {
    if (request.params.name === "hang") {
      seen.hanging.resolve();
      await new Promise((resolve) => context.mcpReq.signal.addEventListener("abort", resolve, { once: true }));
      seen.cancelled.resolve();
    }
    if (request.params.name === "progress") await reportForEver(context);
    if (request.params.name === "ask") {
      const heard = inputResponse(context.mcpReq.inputResponses, "ok");
      if (heard.kind === "missing") return question();
      return { content: [{ type: "text", text: heard.kind === "elicit" ? heard.action : heard.kind }] };
    }
    const header = context.http?.req?.headers.get("mcp-param-region");
    if (header) seen.headers.push(header);
    return { content: [{ type: "text", text: JSON.stringify(request.params.arguments) }], _meta: { hidden: true } };
  });
  return server;
}

/** Each report is a sign of life, until the call is given up. */
async function reportForEver({ mcpReq }: ServerContext): Promise<void> {
  const progressToken = mcpReq._meta?.progressToken ?? "";
  for (let progress = 1; !mcpReq.signal.aborted; progress += 1) {
    await mcpReq.notify({
      method: "notifications/progress",
      params: { progressToken, progress, message: `step ${progress}` },
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** For clients of 2025 the SDK asks with a request of its own. */
function question(): InputRequiredResult {
  const requestedSchema = { type: "object" as const, properties: {} };
  return inputRequired({
    inputRequests: { ok: inputRequired.elicit({ mode: "form", message: "May I?", requestedSchema }) },
  });
}

export function nothingSeen(): Seen {
  return { hanging: Promise.withResolvers(), cancelled: Promise.withResolvers(), headers: [], moreTools: [] };
}

/** Serves the newer protocol era. */
export function modernHandler(seen: Seen, mcp: McpHttpHandler = modernMcp(seen)): Handler {
  return toNodeHandler(mcp) as Handler;
}

/** The part that can announce changes. */
export function modernMcp(seen: Seen): McpHttpHandler {
  return createMcpHandler(() => buildServer(seen), { legacy: "reject" });
}

/** Serves the older era with sessions, which it can forget. */
export class LegacyHandler {
  readonly #seen: Seen;
  readonly #sessions = new Map<string, NodeStreamableHTTPServerTransport>();
  readonly #servers: Server[] = [];

  constructor(seen: Seen) {
    this.#seen = seen;
  }

  get sessions(): number {
    return this.#sessions.size;
  }

  forget(): void {
    this.#sessions.clear();
  }

  /** Tells all clients that the tools changed. */
  async announce(): Promise<void> {
    for (const server of this.#servers) await server.sendToolListChanged();
  }

  readonly handle: Handler = async (request, response) => {
    const id = request.headers["mcp-session-id"];
    const known = typeof id === "string" ? this.#sessions.get(id) : undefined;
    if (typeof id === "string" && known === undefined) {
      response.writeHead(404).end("unknown session");
      return;
    }
    if (request.method === "DELETE") this.#sessions.delete(String(id));
    await (known ?? (await this.#open())).handleRequest(request, response);
  };

  async #open(): Promise<NodeStreamableHTTPServerTransport> {
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void this.#sessions.set(id, transport),
    });
    const server = buildServer(this.#seen);
    this.#servers.push(server);
    await server.connect(transport);
    return transport;
  }
}
