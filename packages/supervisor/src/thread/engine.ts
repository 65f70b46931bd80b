import { randomFillSync } from "node:crypto";
import { type JSValueHandle, QuickJS } from "quickjs-wasi";

/** Raw exports that this package drives directly: the wrapper's own errors read guest getters. */
type EngineExports = {
  readonly memory: WebAssembly.Memory;
  readonly __stack_pointer: WebAssembly.Global;
  qjs_eval(code: number, length: number, filename: number, flags: number): number;
  qjs_call(fn: number, self: number, argc: number, argv: number): number;
  qjs_get_undefined(): number;
  qjs_new_string(pointer: number, length: number): number;
  qjs_get_string_len(value: number, lengthOut: number): number;
  qjs_free_cstring(pointer: number): void;
  qjs_free_value(value: number): void;
  qjs_is_exception(value: number): number;
  qjs_is_string(value: number): number;
  qjs_is_uncatchable_error(value: number): number;
  qjs_get_exception(): number;
  qjs_get_prop_string(object: number, name: number): number;
  qjs_is_job_pending(): number;
  qjs_execute_pending_job(): number;
  qjs_promise_state(promise: number): number;
  qjs_promise_result(promise: number): number;
  qjs_promise_mark_as_handled(promise: number): void;
  qjs_set_runtime_and_context(runtime: number, context: number): void;
  qjs_set_gc_threshold(bytes: number): void;
  qjs_set_memory_limit(bytes: number): void;
  qjs_set_max_stack_size(bytes: number): void;
  qjs_set_interrupt_handler(enable: number): void;
  qjs_set_promise_rejection_handler(enable: number): void;
  qjs_get_runtime_ptr(): number;
  qjs_get_context_ptr(): number;
  wasm_malloc(bytes: number): number;
  wasm_free(pointer: number): void;
};

/** Where QuickJS-ng 0.18 keeps the 64-bit state of Math.random, relative to the context; probed when the template is made. */
const randomStateOffset = 280;

/** A value box inside the VM. */
export type ValuePointer = number;

/** An exception left the engine: `pointer` is the thrown value, `uncatchable` says that the engine, not the program, threw it. */
export class EngineException extends Error {
  readonly pointer: ValuePointer;
  readonly uncatchable: boolean;

  constructor(pointer: ValuePointer, uncatchable: boolean) {
    super("exception inside the VM");
    this.pointer = pointer;
    this.uncatchable = uncatchable;
  }
}

/** Thin typed layer over one QuickJS-WASI instance: strings in, strings out, values as pointers. */
export class Engine {
  readonly vm: QuickJS;
  readonly #x: EngineExports;
  /** Four bytes that receive string lengths; allocated in the template so that every image has them. */
  #lengthOut = 0;
  /** Random bytes drawn in one go: one draw per run would cost more than the reset of the VM. */
  readonly #entropy = new Uint8Array(4096);
  #entropyUsed = 4096;

  constructor(vm: QuickJS) {
    this.vm = vm;
    this.#x = vm._getExports() as unknown as EngineExports;
    for (const name of [
      "qjs_call",
      "qjs_eval",
      "qjs_is_uncatchable_error",
      "qjs_promise_state",
      "qjs_set_runtime_and_context",
      "wasm_malloc",
    ] as const) {
      if (typeof this.#x[name] !== "function")
        throw new Error(`quickjs-wasi does not export ${name}: install exactly version 3.7.0`);
    }
    if (!(this.#x.__stack_pointer instanceof WebAssembly.Global))
      throw new Error("quickjs-wasi does not export its stack pointer: install exactly version 3.7.0");
  }

  get memory(): WebAssembly.Memory {
    return this.#x.memory;
  }

  get stackPointer(): number {
    return this.#x.__stack_pointer.value as number;
  }

  get runtimePointer(): number {
    return this.#x.qjs_get_runtime_ptr();
  }

  get contextPointer(): number {
    return this.#x.qjs_get_context_ptr();
  }

  /** Tells the instance that its memory now holds another image. */
  adopt(
    image: { runtimePointer: number; contextPointer: number; stackPointer: number },
    limits: { memoryLimitBytes: number; maxStackBytes: number },
  ): void {
    this.#x.qjs_set_runtime_and_context(image.runtimePointer, image.contextPointer);
    this.#x.__stack_pointer.value = image.stackPointer;
    this.#x.qjs_set_memory_limit(limits.memoryLimitBytes);
    this.#x.qjs_set_max_stack_size(limits.maxStackBytes);
    this.#x.qjs_set_interrupt_handler(1);
    this.#x.qjs_set_promise_rejection_handler(1);
    this.#lengthOut = 0;
  }

  /** Fresh entropy: every run from one image would otherwise repeat the same Math.random. */
  reseed(): void {
    if (this.#entropyUsed + 8 > this.#entropy.length) {
      randomFillSync(this.#entropy);
      this.#entropyUsed = 0;
    }
    const state = new Uint8Array(this.memory.buffer, this.contextPointer + randomStateOffset, 8);
    state.set(this.#entropy.subarray(this.#entropyUsed, this.#entropyUsed + 8));
    this.#entropyUsed += 8;
    // An all-zero xorshift state yields only zeros.
    state[0] = (state[0] ?? 0) | 1;
  }

  setRandomState(state: bigint): void {
    new DataView(this.memory.buffer).setBigUint64(this.contextPointer + randomStateOffset, state, true);
  }

  setMaxStackBytes(bytes: number): void {
    this.#x.qjs_set_max_stack_size(bytes);
  }

  /** Heap size at which the cycle collector runs next; a part of every image. */
  setGcThreshold(bytes: number): void {
    this.#x.qjs_set_gc_threshold(bytes);
  }

  evaluate(code: string, filename: string, flags: number): ValuePointer {
    const source = this.vm._writeString(code);
    const name = this.vm._writeString(filename);
    const result = this.#x.qjs_eval(source.ptr, source.len, name.ptr, flags);
    this.#x.wasm_free(source.ptr);
    this.#x.wasm_free(name.ptr);
    return this.#checked(result);
  }

  call(fn: ValuePointer, args: readonly ValuePointer[]): ValuePointer {
    const argv = args.length === 0 ? 0 : this.#x.wasm_malloc(args.length * 4);
    const view = new DataView(this.memory.buffer);
    for (const [index, arg] of args.entries()) view.setUint32(argv + index * 4, arg, true);
    const self = this.#x.qjs_get_undefined();
    const result = this.#x.qjs_call(fn, self, args.length, argv);
    this.#x.qjs_free_value(self);
    if (argv !== 0) this.#x.wasm_free(argv);
    return this.#checked(result);
  }

  newString(text: string): ValuePointer {
    const { ptr, len } = this.vm._writeString(text);
    const value = this.#x.qjs_new_string(ptr, len);
    this.#x.wasm_free(ptr);
    return this.#checked(value);
  }

  free(value: ValuePointer): void {
    this.#x.qjs_free_value(value);
  }

  /** The UTF-8 bytes of a string value, in place, for the time of `read`; undefined when the value is no string. */
  withUtf8<T>(value: ValuePointer, read: (bytes: Buffer) => T): T | undefined {
    if (this.#x.qjs_is_string(value) === 0) return undefined;
    if (this.#lengthOut === 0) this.#lengthOut = this.#x.wasm_malloc(4);
    const text = this.#x.qjs_get_string_len(value, this.#lengthOut);
    if (text === 0) return undefined;
    const length = new DataView(this.memory.buffer).getUint32(this.#lengthOut, true);
    const result = read(Buffer.from(this.memory.buffer, text, length));
    this.#x.qjs_free_cstring(text);
    return result;
  }

  /** A property of an error object that no user code has touched yet (syntax errors of the compile check). */
  readProperty(object: ValuePointer, name: string): string {
    const key = this.vm._writeString(name);
    const value = this.#x.qjs_get_prop_string(object, key.ptr);
    this.#x.wasm_free(key.ptr);
    const text = this.withUtf8(value, (bytes) => bytes.toString("utf8")) ?? "";
    this.free(value);
    return text;
  }

  get hasJob(): boolean {
    return this.#x.qjs_is_job_pending() !== 0;
  }

  runJob(): void {
    if (this.#x.qjs_execute_pending_job() < 0) throw this.#exception();
  }

  /** 0 pending, 1 fulfilled, 2 rejected. */
  promiseState(promise: ValuePointer): number {
    return this.#x.qjs_promise_state(promise);
  }

  promiseResult(promise: ValuePointer): ValuePointer {
    return this.#x.qjs_promise_result(promise);
  }

  markHandled(promise: ValuePointer): void {
    this.#x.qjs_promise_mark_as_handled(promise);
  }

  #checked(value: ValuePointer): ValuePointer {
    if (this.#x.qjs_is_exception(value) === 0) return value;
    this.#x.qjs_free_value(value);
    throw this.#exception();
  }

  #exception(): EngineException {
    const pointer = this.#x.qjs_get_exception();
    return new EngineException(pointer, this.#x.qjs_is_uncatchable_error(pointer) !== 0);
  }
}

/** Options of `createEngine`. */
export type EngineOptions = {
  readonly memoryLimitBytes: number;
  readonly maxStackBytes: number;
  interrupt(): boolean;
  onRejection(promise: ValuePointer, reason: ValuePointer, handled: boolean): void;
  /** No clock and no entropy: the image of this instance depends on its code alone. */
  readonly reproducible?: boolean;
};

/** A new instance with a fresh context; nothing of the guest can write to the process. */
export async function createEngine(module: object, options: EngineOptions): Promise<Engine> {
  const vm = await QuickJS.create({
    wasm: module as WebAssembly.Module,
    memoryLimit: options.memoryLimitBytes,
    maxStackSize: options.maxStackBytes,
    timezoneOffset: 0,
    interruptHandler: () => options.interrupt(),
    onUnhandledRejection: (promise: JSValueHandle, reason: JSValueHandle, handled: boolean) =>
      options.onRejection(promise.ptr, reason.ptr, handled),
    wasi: (memory: WebAssembly.Memory) => ({
      fd_write: (_fd: number, vectors: number, count: number, writtenOut: number) => {
        const view = new DataView(memory.buffer);
        let written = 0;
        for (let index = 0; index < count; index++) written += view.getUint32(vectors + index * 8 + 4, true);
        view.setUint32(writtenOut, written, true);
        return 0;
      },
      ...(options.reproducible === true ? stillSources(memory) : {}),
    }),
  });
  return new Engine(vm);
}

/** Clock and entropy of WASI that always give the same. */
function stillSources(memory: WebAssembly.Memory): {
  clock_time_get(clock: number, precision: bigint, out: number): number;
  random_get(out: number, length: number): number;
} {
  return {
    clock_time_get: (_clock, _precision, out) => {
      new DataView(memory.buffer).setBigUint64(out, 0n, true);
      return 0;
    },
    random_get: (out, length) => {
      new Uint8Array(memory.buffer, out, length).fill(1);
      return 0;
    },
  };
}
