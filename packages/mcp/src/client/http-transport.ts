import {
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  StreamableHTTPClientTransport,
  type Transport,
  type TransportSendOptions,
} from "@modelcontextprotocol/client";
import { passOn } from "./pass-on.ts";

/** Marks an error response that we made up because the stream of a request ended without one. */
export const streamEndedCode = -32_099;

/** Where `readSheltered` finds the result as the server sent it. */
const rawKey = "code-mode/raw";

/** Valid stand-ins: the SDK refuses a whole list or result of a 2026 server for one field that it does not like. */
const standIns: Readonly<Record<string, object>> = {
  "tools/list": { tools: [] },
  "tools/call": { content: [] },
  "prompts/get": { messages: [] },
  "prompts/list": { prompts: [] },
  "resources/list": { resources: [] },
  "resources/templates/list": { resourceTemplates: [] },
  "resources/read": { contents: [] },
};

/** The result as the server sent it, taken out of its stand-in. */
export function readSheltered(result: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const raw = result[rawKey];
  return typeof raw === "object" && raw !== null ? (raw as Record<string, unknown>) : result;
}

/** The SDK's own class is declared stricter than the interface that it implements. */
type InnerOptions = Parameters<StreamableHTTPClientTransport["send"]>[1];

/** Streamable HTTP that keeps raw results from the SDK's validation and never leaves a request without an answer. */
export class HttpTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly hasPerRequestStream = true;
  readonly #inner: StreamableHTTPClientTransport;
  readonly #pending = new Map<string | number, string>();

  constructor(url: URL, headers: Readonly<Record<string, string>> = {}) {
    this.#inner = new StreamableHTTPClientTransport(url, { requestInit: { headers: { ...headers } } });
    this.#inner.onclose = () => this.onclose?.();
    this.#inner.onerror = (error) => this.onerror?.(error);
    this.#inner.onmessage = (message) => passOn(this.#receive(message), () => this.onmessage);
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion(version);
  }

  start(): Promise<void> {
    return this.#inner.start();
  }

  async send(message: JSONRPCMessage, options: TransportSendOptions = {}): Promise<void> {
    if (!isJSONRPCRequest(message)) return this.#inner.send(message, options as InnerOptions);
    const { id, method } = message;
    this.#pending.set(id, method);
    const onRequestStreamEnd = (): void => {
      options.onRequestStreamEnd?.();
      if (!this.#pending.delete(id) || method === "subscriptions/listen") return;
      this.onmessage?.({
        jsonrpc: "2.0",
        id,
        error: { code: streamEndedCode, message: "the connection ended before the answer" },
      });
    };
    try {
      await this.#inner.send(message, { ...options, onRequestStreamEnd } as InnerOptions);
    } catch (error) {
      this.#pending.delete(id);
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  /** Tells a stateful server that its session is over. */
  async endSession(): Promise<void> {
    await this.#inner.terminateSession();
  }

  #receive(message: JSONRPCMessage): JSONRPCMessage {
    if (isJSONRPCErrorResponse(message)) {
      if (message.id !== undefined) this.#pending.delete(message.id);
      return message;
    }
    if (!isJSONRPCResultResponse(message)) return message;
    const standIn = standIns[this.#pending.get(message.id) ?? ""];
    this.#pending.delete(message.id);
    const result = message.result as Readonly<Record<string, unknown>>;
    const kind = result.resultType ?? "complete";
    if (standIn === undefined || kind !== "complete") return message;
    const sheltered = { resultType: "complete", ttlMs: 0, cacheScope: "private", ...standIn, [rawKey]: result };
    return { ...message, result: sheltered };
  }
}
