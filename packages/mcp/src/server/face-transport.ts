import { PassThrough, type Readable, type Writable } from "node:stream";
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type Transport,
  type TransportSendOptions,
} from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";

/** What a `FaceTransport` is made from. */
export type FaceTransportOptions = {
  readonly stdin: Readable;
  readonly stdout: Writable;
  /** Longest time that requests are still answered after the client closed its side. */
  readonly drainMs: number;
  /** The connection is over, whichever side ended it; called once. */
  onEnd(): void;
};

/**
 * MCP over standard streams. Unlike the SDK's transport it answers what it received before the client closed its side: a
 * script that writes its requests and closes the pipe reads the answers afterwards.
 */
export class FaceTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #options: FaceTransportOptions;
  /** What the SDK's transport reads: it never ends by itself, so that the end of the input ends nothing. */
  readonly #held = new PassThrough();
  readonly #inner: StdioServerTransport;
  readonly #unanswered = new Set<string | number>();
  #inputEnded = false;
  #drainTimer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: FaceTransportOptions) {
    this.#options = options;
    this.#inner = new StdioServerTransport(this.#held, options.stdout);
    this.#inner.onmessage = (message) => this.#receive(message);
    this.#inner.onerror = (error) => this.onerror?.(error);
    this.#inner.onclose = () => this.#end();
  }

  async start(): Promise<void> {
    const { stdin } = this.#options;
    stdin.on("error", (error) => this.onerror?.(error));
    stdin.once("close", () => this.#endInput());
    stdin.once("end", () => this.#endInput());
    // a stream that is over already tells nobody
    if (stdin.readableEnded || stdin.destroyed) this.#endInput();
    else stdin.pipe(this.#held, { end: false });
    await this.#inner.start();
  }

  async send(message: JSONRPCMessage, _options?: TransportSendOptions): Promise<void> {
    await this.#inner.send(message);
    if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) this.#settle(message.id);
  }

  async close(): Promise<void> {
    await this.#inner.close();
  }

  #receive(message: JSONRPCMessage): void {
    // a subscription is answered at its end only
    if (isJSONRPCRequest(message) && message.method !== "subscriptions/listen") this.#unanswered.add(message.id);
    else if (isJSONRPCNotification(message) && message.method === "notifications/cancelled")
      this.#settle((message.params as { requestId?: string | number } | undefined)?.requestId);
    this.onmessage?.(message);
  }

  #settle(id: string | number | undefined): void {
    if (id !== undefined && this.#unanswered.delete(id)) this.#closeWhenAnswered();
  }

  #endInput(): void {
    if (this.#inputEnded) return;
    this.#inputEnded = true;
    this.#drainTimer = setTimeout(() => void this.#inner.close(), this.#options.drainMs);
    setImmediate(() => this.#closeWhenAnswered());
  }

  #closeWhenAnswered(): void {
    if (!this.#inputEnded || this.#closed) return;
    // what is still in the pipe comes before the end
    if (this.#held.readableLength + this.#held.writableLength > 0) setImmediate(() => this.#closeWhenAnswered());
    else if (this.#unanswered.size === 0) void this.#inner.close();
  }

  #end(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#drainTimer);
    this.#options.stdin.unpipe(this.#held);
    this.#options.stdin.pause();
    this.onclose?.();
    this.#options.onEnd();
  }
}
