import { Calls, refusal } from "./calls.ts";
import { describeThrown, type Failure } from "./guest-error.ts";
import type { HostCall } from "./host.ts";
import {
  apply,
  MapConstructor,
  mapDelete,
  mapForEach,
  mapSet,
  mapSize,
  PromiseConstructor,
  parseJson,
  stringifyJson,
  stringSlice,
} from "./intrinsics.ts";
import { isSmallPlain } from "./is-small-plain.ts";
import { leastBytes } from "./least-bytes.ts";
import { materializeNamespaces } from "./namespaces.ts";
import { toJsonText } from "./serialize.ts";
import { settlePromises } from "./settle-promises.ts";
import { Timers } from "./timers.ts";

type Begin = { maxInputBytes: number; maxOutstanding: number; mayHoldSymbols: boolean; namespaces?: unknown };

/** Header of a turn; the calls of the drain follow after a line feed. */
type Header = {
  state: "idle" | "yield" | "done" | "failed" | "again" | "stuck";
  timerMs?: number | undefined;
  reason?: string | undefined;
  failure?: Failure;
  fromHost?: boolean;
  hints?: string;
};

const maxReasonLength = 256;

/** The state of one cell inside its VM, and the operations by which the host drives it. */
export class Cell {
  readonly host: HostCall;
  readonly calls: Calls;
  readonly timers = new Timers();
  readonly #rejections = new MapConstructor<unknown, unknown>();
  #begin: Begin = { maxInputBytes: 0, maxOutstanding: 0, mayHoldSymbols: true };
  #value: string | undefined;
  #failure: { thrown: unknown } | undefined;
  #yield: { resolve(): void; reason: string | undefined } | undefined;
  #hints = "";
  #miss = "";

  constructor(host: HostCall) {
    this.host = host;
    this.calls = new Calls(host);
  }

  /** The single entry of the host. */
  handle(operation: string, first: unknown, second: unknown): unknown {
    switch (operation) {
      case "begin":
        this.#begin = parseJson(first as string) as Begin;
        materializeNamespaces(this, this.#begin.namespaces);
        return undefined;
      case "run":
        return this.#run(first);
      case "turn":
        return this.#turn();
      case "value":
        return this.#value;
      case "deliver":
        return this.calls.deliver(first as string);
      case "finish":
        return this.#finish(first);
      case "fail":
        this.#failure ??= { thrown: first };
        return undefined;
      case "rejected":
        mapSet(this.#rejections, first, second);
        return undefined;
      case "handled":
        mapDelete(this.#rejections, first);
        return undefined;
      case "endYield":
        this.#yield?.resolve();
        this.#yield = undefined;
        return undefined;
      default:
        return undefined;
    }
  }

  /** Starts the program; one that overflows the stack before its promise exists fails like any other. */
  #run(program: unknown): unknown {
    try {
      return apply(program, undefined, []);
    } catch (error) {
      return new PromiseConstructor((_resolve, reject) => reject(error));
    }
  }

  text(value: unknown): void {
    this.host("text", typeof value === "string" ? value : this.jsonText(value, "value"));
  }

  json(value: unknown): void {
    this.host("json", this.jsonText(value, "value"));
  }

  /** JSON text of a value that is shown, not sent: it never fails on promises. */
  showText(value: unknown): string {
    if (value === undefined || typeof value === "number") return `${value}`;
    const text = this.jsonText(value, "value");
    const isShownBare = typeof value === "bigint" || typeof value === "symbol" || typeof value === "function";
    return isShownBare ? (parseJson(text) as string) : text;
  }

  jsonText(value: unknown, path: string): string {
    return toJsonText(
      value,
      path,
      () => this.hint(`${path} contains a promise: await it before use.`),
      this.#begin.mayHoldSymbols,
    );
  }

  inputText(value: unknown): string {
    if (this.calls.pendingCount >= this.#begin.maxOutstanding)
      throw refusal(
        `more than ${this.#begin.maxOutstanding} calls are waiting in this program; await them in smaller batches`,
        "too_many_pending_calls",
      );
    const limit = this.#begin.maxInputBytes;
    // Strings that are too long are refused before they are copied into JSON text.
    const isSmall = isSmallPlain(value);
    if (!isSmall) this.#assertInputSize(leastBytes(value, limit), limit);
    const text =
      value === undefined ? "{}" : isSmall ? (stringifyJson(value) ?? "null") : this.jsonText(value, "input");
    if (text.length * 3 > limit) this.#assertInputSize(this.calls.utf8Bytes(text), limit);
    return text;
  }

  #assertInputSize(bytes: number, limit: number): void {
    if (bytes <= limit) return;
    throw refusal(
      `the tool input is ${bytes} bytes, at most ${limit} are allowed; send less, or send it in parts`,
      "tool_error",
    );
  }

  yieldControl(reason: unknown): Promise<void> {
    const text = typeof reason === "string" ? stringSlice(reason, 0, maxReasonLength) : undefined;
    const before = this.#yield;
    return new PromiseConstructor<void>((resolve) => {
      this.#yield = {
        reason: text ?? before?.reason,
        resolve: () => {
          before?.resolve();
          resolve();
        },
      };
    });
  }

  hint(text: string): void {
    if (this.#hints.length < 1000 && this.#hints !== text) this.#hints += this.#hints === "" ? text : ` ${text}`;
  }

  noteMiss(expression: string, near: string): void {
    this.#miss = near === "" ? `${expression} does not exist.` : `${expression} does not exist. Did you mean ${near}?`;
  }

  /** The program returned: its value is serialized now, or after the promises in it have settled. */
  #finish(value: unknown): void {
    let hasPromise = false;
    try {
      const text = toJsonText(value, "value", () => (hasPromise = true), this.#begin.mayHoldSymbols);
      if (hasPromise) void this.#finishSlowly(value);
      else this.#value = text;
    } catch (error) {
      // A getter or toJSON of the value threw, or it is too deep: the program's failure, not the engine's.
      this.#failure ??= { thrown: error };
    }
  }

  async #finishSlowly(value: unknown): Promise<void> {
    try {
      this.#value = this.jsonText(await settlePromises(value), "value");
    } catch (error) {
      this.#failure ??= { thrown: error };
    }
  }

  #turn(): string {
    if (this.#failure !== undefined) return this.#failed(this.#failure.thrown);
    const fired = this.#value === undefined ? this.#fireTimer() : false;
    if (fired === true) return this.#frame({ state: "again" }, "");
    if (fired !== false) return this.#failed(fired.thrown);
    const outbox = this.calls.takeOutbox();
    const timerMs = this.#value === undefined ? this.timers.nextDelayMs() : undefined;
    if (this.#value === undefined && this.#yield !== undefined)
      return this.#frame({ state: "yield", reason: this.#yield.reason }, outbox);
    if (outbox !== "" || this.calls.pendingCount > 0) return this.#frame({ state: "idle", timerMs }, outbox);
    if (mapSize(this.#rejections) > 0) return this.#failed(this.#firstRejection());
    if (this.#value !== undefined) return this.#frame({ state: "done" }, "");
    return timerMs === undefined ? this.#frame({ state: "stuck" }, "") : this.#frame({ state: "idle", timerMs }, "");
  }

  /** Runs a due timer, if there is one; what its callback throws is the program's failure. */
  #fireTimer(): boolean | { thrown: unknown } {
    try {
      return this.timers.fireNext();
    } catch (error) {
      this.#failure = { thrown: error };
      return this.#failure;
    }
  }

  #firstRejection(): unknown {
    let first: { reason: unknown } | undefined;
    mapForEach(this.#rejections, (reason) => {
      first ??= { reason };
    });
    return first?.reason;
  }

  #failed(thrown: unknown): string {
    const fromHost = this.calls.isHostError(thrown);
    const failure = describeThrown(thrown, fromHost);
    if (this.#miss !== "" && failure.name === "TypeError") failure.message += ` (${this.#miss})`;
    return this.#frame({ state: "failed", failure, fromHost }, this.calls.takeOutbox());
  }

  #frame(header: Header, payload: string): string {
    if (this.#hints !== "") {
      header.hints = this.#hints;
      this.#hints = "";
    }
    return `${stringifyJson(header)}\n${payload}`;
  }
}
