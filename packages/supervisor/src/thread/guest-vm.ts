import type { PackedVm, TemplateImage } from "@code-mode/bridge";
import type { JSValueHandle } from "quickjs-wasi";
import { bodyPrefix, bodySuffix, cellFileName, checkPrefix, checkSuffix } from "../guest-names.ts";
import { createEngine, type Engine, EngineException, type ValuePointer } from "./engine.ts";
import { packPages, resetImage, unpackPages } from "./page-delta.ts";

/** An instance that grew by more than this is replaced: WASM memory never shrinks, and reuse leaks the growth. */
const maxGrowthBytes = 1024 * 1024;

/** Jobs between two looks at the clock: the interrupt handler counts loop iterations, not jobs. */
const jobsPerDeadlineCheck = 256;

/** Stack that noting a rejection may use beyond the program's own. */
const noteStackBytes = 64 * 1024;

const compileOnly = 32;

/** Why the engine stopped a guest: set by the handler, never read from an exception. */
export type StopReason = "timeout" | "aborted";

/** Synchronous operations of the guest, by name. */
export type HostOperation = (
  operation: string,
  first: string,
  second: string,
) => string | undefined | { readonly evaluate: string };

/** Options of `createGuestVm`. */
export type GuestVmOptions = {
  readonly module: object;
  readonly template: TemplateImage;
  readonly memoryLimitBytes: number;
  readonly maxStackBytes: number;
  readonly host: HostOperation;
  /** Asked by the interrupt handler, about six times per millisecond. */
  shouldStop(): StopReason | undefined;
};

/** A syntax error that only the engine found, in coordinates of the body. */
export class BodySyntaxError extends Error {
  readonly line: number | undefined;
  readonly column: number | undefined;

  constructor(message: string, line: number | undefined, column: number | undefined) {
    super(message);
    this.line = line;
    this.column = column;
  }
}

/** One pooled VM: reset in place from the template before each run, packed and unpacked as page deltas. */
export class GuestVm {
  readonly #options: GuestVmOptions;
  readonly #engine: Engine;
  #stopped: StopReason | undefined;
  #lastAnswer: JSValueHandle | undefined;
  #broken = false;
  #resets = 0;
  #image: Uint8Array;

  constructor(engine: Engine, options: GuestVmOptions) {
    this.#engine = engine;
    this.#options = options;
    this.#image = options.template.memory;
    this.#register();
  }

  /** Set when the engine was interrupted since the last reset. */
  get stopped(): StopReason | undefined {
    return this.#stopped;
  }

  /** False when the instance must not serve another cell: it was stopped, broke, or grew. */
  get reusable(): boolean {
    const limit = this.#options.template.memory.length + maxGrowthBytes;
    return !this.#broken && this.#stopped === undefined && this.#engine.memory.buffer.byteLength <= limit;
  }

  /** Marks the instance as unusable after a trap or an exhausted heap. */
  markBroken(): void {
    this.#broken = true;
  }

  /** Called by the engine's interrupt handler. */
  interrupt(): boolean {
    this.#stopped ??= this.#options.shouldStop();
    return this.#stopped !== undefined;
  }

  onRejection(promise: ValuePointer, reason: ValuePointer, handled: boolean): void {
    const { maxStackBytes } = this.#options;
    // A program at the end of its stack rejects promises too: taking note must not overflow in its place.
    this.#engine.setMaxStackBytes(maxStackBytes + noteStackBytes);
    try {
      this.#command(handled ? "handled" : "rejected", [promise, reason]);
    } finally {
      this.#engine.setMaxStackBytes(maxStackBytes);
    }
  }

  /** Back to the template, with fresh randomness. */
  reset(): void {
    const { template } = this.#options;
    // Copying from shared memory takes twice as long; the private copy is not worth its page faults for one cell only.
    if (this.#resets++ === 1) this.#image = template.memory.slice();
    const needed = template.memory.length - this.#engine.memory.buffer.byteLength;
    if (needed > 0) this.#engine.memory.grow(Math.ceil(needed / 65_536));
    resetImage(new Uint8Array(this.#engine.memory.buffer), this.#image, template.stackPointer & ~4095);
    this.#adopt(template.stackPointer);
  }

  /** The whole VM as a delta against the template; the VM stays as it is. */
  pack(rootPointer: number, maxBytes: number): { packed: PackedVm } | { tooLarge: number } {
    const result = packPages({
      memory: this.#engine.memory,
      template: this.#options.template.memory,
      stackPointer: this.#engine.stackPointer,
      maxBytes,
    });
    return "tooLarge" in result ? result : { packed: { bytes: result.bytes, rootPointer } };
  }

  /** Continues a packed VM. */
  unpack(packed: PackedVm): void {
    this.#adopt(unpackPages(packed.bytes, this.#engine.memory, this.#options.template.memory));
  }

  begin(json: string): void {
    this.#commandText("begin", json);
  }

  /** Compiles the body under two wrappers, starts it, and returns the pointer of its promise. */
  start(body: string): ValuePointer {
    const engine = this.#engine;
    try {
      engine.free(engine.evaluate(`${checkPrefix}${body}${checkSuffix}`, cellFileName, compileOnly));
      const fn = engine.evaluate(`${bodyPrefix}${body}${bodySuffix}`, cellFileName, 0);
      const operation = engine.newString("run");
      const promise = engine.call(this.#options.template.entryPointer, [operation, fn]);
      engine.free(operation);
      engine.free(fn);
      engine.markHandled(promise);
      return promise;
    } catch (error) {
      throw this.#asSyntaxError(error, body);
    }
  }

  deliver(json: string): void {
    this.#commandText("deliver", json);
  }

  endYield(): void {
    this.#command("endYield", []);
  }

  /** Runs jobs until none is left or the guest is stopped. */
  drain(): void {
    const engine = this.#engine;
    for (let jobs = 0; engine.hasJob; jobs++) {
      if (jobs % jobsPerDeadlineCheck === 0 && this.interrupt()) return;
      try {
        engine.runJob();
      } catch (error) {
        if (!(error instanceof EngineException) || error.uncatchable) throw error;
        this.#command("fail", [error.pointer]);
      }
    }
  }

  rootState(rootPointer: number): number {
    return this.#engine.promiseState(rootPointer);
  }

  /** Hands the settled value or reason to the guest's serializer. */
  settleRoot(rootPointer: number): void {
    const result = this.#engine.promiseResult(rootPointer);
    this.#command(this.#engine.promiseState(rootPointer) === 1 ? "finish" : "fail", [result]);
    this.#engine.free(result);
  }

  /** What the guest says of itself: a header line, and the calls of the drain after a line feed. */
  turn(): { header: string; calls: string } {
    const text = this.#ask("turn", (bytes) => bytes.toString("utf8"));
    const lineFeed = text.indexOf("\n");
    return { header: text.slice(0, lineFeed), calls: text.slice(lineFeed + 1) };
  }

  /** JSON text of the value of a finished cell; copied out of the VM only when it is small enough. */
  value(maxBytes: number): { json: string | undefined; bytes: number } {
    return this.#ask("value", (bytes) => ({
      json: bytes.length <= maxBytes ? bytes.toString("utf8") : undefined,
      bytes: bytes.length,
    }));
  }

  #ask<T>(operation: string, read: (bytes: Buffer) => T): T {
    const name = this.#engine.newString(operation);
    const answer = this.#engine.call(this.#options.template.entryPointer, [name]);
    this.#engine.free(name);
    const result = this.#engine.withUtf8(answer, read);
    this.#engine.free(answer);
    if (result === undefined) throw new Error(`the guest's ${operation} is no string`);
    return result;
  }

  #commandText(operation: string, text: string): void {
    const argument = this.#engine.newString(text);
    this.#command(operation, [argument]);
    this.#engine.free(argument);
  }

  #command(operation: string, args: readonly ValuePointer[]): void {
    const name = this.#engine.newString(operation);
    this.#engine.free(this.#engine.call(this.#options.template.entryPointer, [name, ...args]));
    this.#engine.free(name);
  }

  #adopt(stackPointer: number): void {
    const { template, memoryLimitBytes, maxStackBytes } = this.#options;
    this.#engine.adopt({ ...template, stackPointer }, { memoryLimitBytes, maxStackBytes });
    this.#engine.reseed();
    this.#lastAnswer = undefined;
    this.#stopped = undefined;
  }

  #register(): void {
    const { vm } = this.#engine;
    vm.registerHostCallback("host", (operation, first, second) => {
      const text = (handle: typeof operation): string =>
        handle === undefined || handle.isUndefined ? "" : handle.toString();
      const result = this.#options.host(text(operation), text(first), text(second));
      // The wrapper duplicates what a callback returns and keeps the original alive: it is freed at the next call.
      this.#lastAnswer?.dispose();
      if (result === undefined) this.#lastAnswer = vm.getUndefined();
      else
        this.#lastAnswer =
          typeof result === "string" ? vm.newString(result) : vm.evalCode(result.evaluate, "polyfill.js");
      return this.#lastAnswer;
    });
  }

  #asSyntaxError(error: unknown, body: string): unknown {
    if (!(error instanceof EngineException) || error.uncatchable) return error;
    const name = this.#engine.readProperty(error.pointer, "name");
    const message = this.#engine.readProperty(error.pointer, "message");
    const stack = this.#engine.readProperty(error.pointer, "stack");
    const at = /cell\.js:(\d+):(\d+)/.exec(stack);
    if (at === null) return new BodySyntaxError(`${name}: ${message}`, undefined, undefined);
    const lines = body.split("\n").length;
    const line = Math.min(Number(at[1]), lines);
    const shift = line === 1 ? checkPrefix.length : 0;
    return new BodySyntaxError(`${name}: ${message}`, line, Math.max(1, Number(at[2]) - shift));
  }
}

/** A VM that is ready to be reset and run. */
export async function createGuestVm(options: GuestVmOptions): Promise<GuestVm> {
  const link: { vm?: GuestVm } = {};
  const engine = await createEngine(options.module, {
    memoryLimitBytes: options.memoryLimitBytes,
    maxStackBytes: options.maxStackBytes,
    interrupt: () => link.vm?.interrupt() ?? false,
    onRejection: (promise, reason, handled) => link.vm?.onRejection(promise, reason, handled),
  });
  link.vm = new GuestVm(engine, options);
  return link.vm;
}
