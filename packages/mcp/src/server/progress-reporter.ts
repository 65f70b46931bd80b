import type { ServerContext } from "@modelcontextprotocol/server";
import type { FaceCall, McpServerFaceOptions } from "./face-options.ts";

const defaultHeartbeatMs = 5_000;

/**
 * Keeps a client that gave a progress token informed until it is disposed: a sign of life at fixed times, because clients
 * end silent calls, and a line for each thing that `watchCall` reports. Without a token it does nothing.
 */
export class ProgressReporter implements Disposable {
  readonly #context: ServerContext;
  readonly #token: string | number | undefined;
  readonly #startedAt = Date.now();
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #unwatch: (() => void) | undefined;
  #count = 0;
  #ended = false;

  constructor(context: ServerContext, call: FaceCall, options: McpServerFaceOptions) {
    this.#context = context;
    this.#token = context.mcpReq._meta?.progressToken;
    if (this.#token === undefined) return;
    this.#timer = setInterval(() => this.#beat(call.toolName), options.heartbeatMs ?? defaultHeartbeatMs);
    this.#timer.unref();
    this.#unwatch = options.watchCall?.(call, (message) => this.#send(message));
  }

  [Symbol.dispose](): void {
    this.#ended = true;
    clearInterval(this.#timer);
    this.#unwatch?.();
  }

  #beat(toolName: string): void {
    const seconds = Math.round((Date.now() - this.#startedAt) / 1_000);
    this.#send(`${toolName} has been running for ${seconds} s`);
  }

  #send(message: string): void {
    if (this.#ended || this.#token === undefined || this.#context.mcpReq.signal.aborted) return;
    this.#count += 1;
    const params = { progressToken: this.#token, progress: this.#count, message };
    this.#context.mcpReq.notify({ method: "notifications/progress", params }).catch(() => {
      // the client is gone; the connection's end settles everything
      this[Symbol.dispose]();
    });
  }
}
