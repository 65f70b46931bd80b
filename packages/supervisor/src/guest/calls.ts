import type { HostCall } from "./host.ts";
import {
  defineProperty,
  ErrorConstructor,
  isArray,
  MapConstructor,
  mapDelete,
  mapGet,
  mapSet,
  mapSize,
  NumberOf,
  PromiseConstructor,
  parseJson,
  RangeErrorConstructor,
  stackOf,
  stringifyJson,
  WeakSetConstructor,
  weakSetAdd,
  weakSetHas,
} from "./intrinsics.ts";

/** `origin` knows where the program made the call; its stack is text only when the call fails. */
type PendingCall = { resolve(value: unknown): void; reject(error: unknown): void; origin: Error };

type ErrorData = { name: string; message: string; code: string; toolId?: string; details?: unknown };

/** Characters of the calls of one drain: 16 tool inputs of 1 MiB fit, and so does the largest result that can be saved. */
const maxOutboxLength = 24 * 1024 * 1024;

/** Makes a call that is wrong reject instead of throw: `allSettled(items.map(call))` must see every outcome. */
export function rejecting(
  call: (first: unknown, second: unknown) => Promise<unknown>,
): (first?: unknown, second?: unknown) => Promise<unknown> {
  return (first, second) => {
    try {
      return call(first, second);
    } catch (error) {
      return new PromiseConstructor((_resolve, reject) => reject(error));
    }
  };
}

/** An error of the guest's side with the code that a host refusal of the same kind would have. */
export function refusal(message: string, code: string): Error {
  const error = new RangeErrorConstructor(message);
  visible(error, "code", code);
  return error;
}

/** The calls of one cell: what was asked and not yet answered. Resolvers live here, by sequence number: they survive a snapshot. */
export class Calls {
  readonly #host: HostCall;
  readonly #pending = new MapConstructor<number, PendingCall>();
  readonly #hostErrors = new WeakSetConstructor();
  #nextSequence = 1;
  #outbox = "";

  constructor(host: HostCall) {
    this.#host = host;
  }

  get pendingCount(): number {
    return mapSize(this.#pending);
  }

  /** Queues a call for the next drain; `payloadText` is JSON. */
  send(kind: string, target: string, payloadText: string): Promise<unknown> {
    const length = this.#outbox.length + target.length + payloadText.length;
    if (length > maxOutboxLength)
      throw refusal(
        `the calls made since the last await carry ${length} characters, at most ${maxOutboxLength} are allowed; send less, or await them in smaller batches`,
        "tool_error",
      );
    const sequence = this.#nextSequence++;
    const row = `[${sequence},"${kind}",${stringifyJson(target)},${payloadText}]`;
    this.#outbox += this.#outbox === "" ? row : `,${row}`;
    const origin = new ErrorConstructor();
    return new PromiseConstructor((resolve, reject) => {
      mapSet(this.#pending, sequence, { resolve, reject, origin });
    });
  }

  /** JSON list of the calls since the last drain, "" when there is none. */
  takeOutbox(): string {
    const rows = this.#outbox;
    this.#outbox = "";
    return rows === "" ? "" : `[${rows}]`;
  }

  /** Delivers `[sequence, 1, mcp, value]` and `[sequence, 0, error]` rows in settlement order. */
  deliver(text: string): void {
    const rows = parseJson(text) as unknown[][];
    for (let index = 0; index < rows.length; index++) {
      const row = rows[index] as unknown[];
      const call = mapGet(this.#pending, row[0] as number);
      if (call === undefined) continue;
      mapDelete(this.#pending, row[0] as number);
      if (row[1] === 1) call.resolve(row[2] === 1 ? withMcpData(row[3]) : row[3]);
      else call.reject(this.#toError(row[2] as ErrorData, stackOf(call.origin)));
    }
  }

  /** True for errors that this bridge made; a program cannot forge one. */
  isHostError(error: unknown): boolean {
    return typeof error === "object" && error !== null && weakSetHas(this.#hostErrors, error);
  }

  /** Bytes of a text in UTF-8, exact. */
  utf8Bytes(text: string): number {
    return NumberOf(this.#host("bytes", text));
  }

  #toError(data: ErrorData, stack: string): Error {
    const error = new ErrorConstructor(data.message);
    hidden(error, "name", data.name);
    hidden(error, "stack", stack);
    visible(error, "code", data.code);
    if (data.toolId !== undefined) visible(error, "toolId", data.toolId);
    if (data.details !== undefined) visible(error, "details", data.details);
    weakSetAdd(this.#hostErrors, error);
    return error;
  }
}

function hidden(target: object, key: string, value: unknown): void {
  defineProperty(target, key, { value, writable: true, enumerable: false, configurable: true });
}

function visible(target: object, key: string, value: unknown): void {
  defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}

type McpResult = { structuredContent?: unknown; content?: unknown };

/** Adds `.data`, the unwrapped value (MCP-2): non-enumerable, so it never shows in output. */
function withMcpData(result: unknown): unknown {
  if (typeof result !== "object" || result === null || isArray(result)) return result;
  defineProperty(result, "data", {
    get: () => unwrap(result as McpResult),
    set: (value) => visible(result, "data", value),
    enumerable: false,
    configurable: true,
  });
  return result;
}

function unwrap(result: McpResult): unknown {
  if (result.structuredContent !== undefined) return result.structuredContent;
  const content = result.content;
  if (!isArray(content)) return undefined;
  let text = "";
  let count = 0;
  for (let index = 0; index < content.length; index++) {
    const item = content[index] as { type?: unknown; text?: unknown } | null;
    if (item === null || typeof item !== "object" || item.type !== "text" || typeof item.text !== "string") continue;
    text += count++ === 0 ? item.text : `\n${item.text}`;
  }
  return count === 1 ? parsedOrText(text) : count === 0 ? undefined : text;
}

/** Only objects and lists are taken for JSON: a text "42" is a text. */
function parsedOrText(text: string): unknown {
  const first = text[0];
  if (first !== "{" && first !== "[") return text;
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}
