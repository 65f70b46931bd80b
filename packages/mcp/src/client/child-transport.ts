import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type Transport,
} from "@modelcontextprotocol/client";
import { LineSplitter } from "./line-splitter.ts";
import { mcpLimits } from "./mcp-limits.ts";
import { passOn } from "./pass-on.ts";
import type { ServerProcess } from "./server-process.ts";

/**
 * MCP over the standard streams of a server process. Unlike the SDK's transport it notices a death while a grandchild
 * keeps the pipes open, survives garbage on stdout, and ends the whole process group.
 */
export class ChildTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #process: ServerProcess;
  #closed = false;
  #garbageLines = 0;
  #firstGarbage: string | undefined;
  #sawMessage = false;

  constructor(process: ServerProcess) {
    this.#process = process;
  }

  /** First line on stdout that was no JSON-RPC message. */
  get firstGarbage(): string | undefined {
    return this.#firstGarbage;
  }

  /** Lines on stdout that were no JSON-RPC message. */
  get garbageLines(): number {
    return this.#garbageLines;
  }

  /** True when the server never sent a valid message. */
  get silent(): boolean {
    return !this.#sawMessage;
  }

  async start(): Promise<void> {
    const lines = new LineSplitter({
      maxBytes: mcpLimits.maxMessageBytes,
      overflow: "fail",
      onLine: (line) => this.#read(line),
    });
    const { stdin, stdout } = this.#process;
    stdin.on("error", (error) => this.onerror?.(error));
    stdout.on("error", (error) => this.onerror?.(error));
    stdout.on("data", (chunk: Buffer) => {
      try {
        lines.push(chunk);
      } catch (error) {
        this.#fail(error);
      }
    });
    void this.#closeAfterEnd();
    await this.#process.spawned;
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed) return Promise.reject(new Error("the server has ended"));
    return new Promise((resolve, reject) => {
      this.#process.stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Settles what is pending at once, then ends the process. */
  async close(): Promise<void> {
    this.#end();
    await this.#process.stop();
  }

  async #closeAfterEnd(): Promise<void> {
    // a server that closed its stdout is as dead as one that exited
    const outputEnded = new Promise<void>((resolve) => this.#process.stdout.once("end", () => resolve()));
    await Promise.race([this.#process.exited, outputEnded]);
    // the last answer may still be in the pipe
    await this.#process.drained();
    await this.close();
  }

  #end(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.onclose?.();
  }

  #fail(error: unknown): void {
    this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    void this.close();
  }

  #read(line: string): void {
    if (this.#closed) return;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      this.#garbage(line);
      return;
    }
    // the 2025-03-26 revision allowed batches
    for (const item of Array.isArray(value) ? value : [value]) this.#deliver(item, line);
  }

  #deliver(value: unknown, line: string): void {
    if (
      isJSONRPCRequest(value) ||
      isJSONRPCNotification(value) ||
      isJSONRPCResultResponse(value) ||
      isJSONRPCErrorResponse(value)
    ) {
      this.#sawMessage = true;
      passOn(value, () => this.onmessage);
      return;
    }
    const { id, method } = (typeof value === "object" && value !== null ? value : {}) as {
      id?: unknown;
      method?: unknown;
    };
    if (method === undefined && typeof id === "number") {
      // an answer we cannot read is still the answer: without this its call would hang until the timeout
      this.onmessage?.({
        jsonrpc: "2.0",
        id,
        error: { code: -32_603, message: "the answer is no valid JSON-RPC response" },
      });
      return;
    }
    this.#garbage(line);
  }

  #garbage(line: string): void {
    this.#firstGarbage ??= line;
    this.#garbageLines += 1;
    if (!this.#sawMessage && this.#garbageLines >= mcpLimits.maxGarbageLines)
      this.#fail(new Error("stdout holds no JSON-RPC"));
  }
}
