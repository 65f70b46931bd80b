import { Client, type RequestOptions, type StandardSchemaV1 } from "@modelcontextprotocol/client";
import { ChildTransport } from "./child-transport.ts";
import { answerElicitations, type McpElicit } from "./elicitation.ts";
import { HttpTransport, readSheltered } from "./http-transport.ts";
import { oneLine } from "./one-line.ts";
import { isStdioConfig, type McpHttpServerConfig, type McpServerConfig } from "./server-config.ts";
import { ServerProcess } from "./server-process.ts";

/** A result as the server sent it. */
export type RawResult = Readonly<Record<string, unknown>>;

/** The protocol era of a stdio server. */
export type StdioEra = "legacy" | "modern";

/** The newest revision; a server that speaks only the newer era is asked for exactly this one. */
const modernRevision = "2026-07-28";

/** What the owner of a link wants to hear. */
export type LinkHooks = { onClosed(): void; onToolsChanged(): void; onStderr(line: string): void };

/** What a link is made from. */
export type LinkOptions = {
  readonly server: string;
  readonly config: McpServerConfig;
  readonly clientInfo: { readonly name: string; readonly version: string };
  readonly elicit: McpElicit | undefined;
  /** Which protocol a stdio server speaks: `legacy` works with nearly all of them. */
  readonly stdioEra: StdioEra;
  readonly hooks: LinkHooks;
};

/** Passes any object: each result is judged by its reader, so that one odd field never loses the rest. */
const anyResult: StandardSchemaV1<unknown, RawResult> = {
  "~standard": {
    version: 1,
    vendor: "code-mode",
    validate: (value) =>
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? { value: value as RawResult }
        : { issues: [{ message: "the result is no object" }] },
  },
};

/** How long the goodbye to a stateful HTTP server may take. */
const goodbyeMs = 1_000;

/** One connection to one server, in whichever protocol era it speaks. */
export class McpLink {
  readonly process: ServerProcess | undefined;
  readonly #client: Client;
  readonly #transport: ChildTransport | HttpTransport;

  constructor(options: LinkOptions) {
    const { config, hooks } = options;
    this.process = isStdioConfig(config) ? new ServerProcess(config, hooks.onStderr) : undefined;
    this.#transport =
      this.process === undefined ? openHttp(config as McpHttpServerConfig) : new ChildTransport(this.process);
    this.#client = new Client(options.clientInfo, {
      capabilities: options.elicit === undefined ? {} : { elicitation: { form: {} } },
      // asking a stdio server which era it speaks costs one more process
      versionNegotiation: {
        mode: this.process === undefined ? "auto" : options.stdioEra === "modern" ? { pin: modernRevision } : "legacy",
      },
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => hooks.onToolsChanged() } },
    });
    if (options.elicit !== undefined) answerElicitations(this.#client, options.server, options.elicit);
    this.#client.onclose = () => hooks.onClosed();
    this.#client.onerror = () => {
      // reported by the request that it hit; anything else is noise of a server that goes on working
    };
  }

  /** What the server offers; empty before `connect`. */
  get capabilities(): { readonly tools: boolean; readonly resources: boolean; readonly prompts: boolean } {
    const offered = this.#client.getServerCapabilities();
    return {
      tools: offered?.tools !== undefined,
      resources: offered?.resources !== undefined,
      prompts: offered?.prompts !== undefined,
    };
  }

  /** First line on stdout that was no JSON-RPC, of a server that never sent anything else. */
  get garbage(): string | undefined {
    return this.#transport instanceof ChildTransport && this.#transport.silent
      ? this.#transport.firstGarbage
      : undefined;
  }

  /** What a server that works printed to stdout beside its messages, in one line. */
  get noise(): string | undefined {
    if (!(this.#transport instanceof ChildTransport) || this.#transport.silent) return undefined;
    const { firstGarbage, garbageLines } = this.#transport;
    if (firstGarbage === undefined) return undefined;
    const lines = garbageLines === 1 ? "1 line" : `${garbageLines} lines`;
    return `it printed ${lines} to stdout that are no JSON-RPC, first ${JSON.stringify(oneLine(firstGarbage, 120))}; they were skipped. Let the program log to stderr`;
  }

  /** Shakes hands with the server. */
  async connect(options: { timeoutMs: number; signal: AbortSignal }): Promise<void> {
    await this.#client.connect(this.#transport, { timeout: options.timeoutMs, signal: options.signal });
  }

  /** Sends one request; the result is what the server sent, unchecked. */
  async request(method: string, params: RawResult, options: RequestOptions): Promise<RawResult> {
    const result = await this.#client.request({ method, params: { ...params } }, anyResult, options);
    return readSheltered(result);
  }

  /**
   * Calls a tool that wants some of its arguments in HTTP headers too (`x-mcp-header`); only the SDK's own call does that,
   * and only the newer protocol era asks for it.
   */
  async callMirrored(params: RawResult, inputSchema: object, options: RequestOptions): Promise<RawResult> {
    if (this.#client.getProtocolEra() !== "modern") return this.request("tools/call", params, options);
    const name = String(params.name);
    const toolDefinition = { name, inputSchema: { ...inputSchema, type: "object" as const } };
    const result = await this.#client.callTool({ ...params, name }, { ...options, toolDefinition });
    return readSheltered(result);
  }

  /** Ends a connection whose other side is gone: no goodbye. Never rejects. */
  async abandon(): Promise<void> {
    await this.#transport.close().catch(() => undefined);
    await this.process?.stop();
  }

  /** Rejects what is pending and ends the connection and its process. Never rejects. */
  async close(): Promise<void> {
    if (this.#transport instanceof HttpTransport) await sayGoodbye(this.#transport);
    await this.abandon();
  }
}

function openHttp(config: McpHttpServerConfig): HttpTransport {
  return new HttpTransport(new URL(config.url), config.headers);
}

async function sayGoodbye(transport: HttpTransport): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, goodbyeMs);
  await Promise.race([transport.endSession().catch(() => undefined), late]);
  clearTimeout(timer);
}
