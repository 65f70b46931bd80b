import { defineProperty, deleteProperty, preventExtensions, TypeErrorConstructor } from "./intrinsics.ts";

/** Globals that a program must not have: clocks for timing attacks, dynamic code, cross-thread memory. */
const removed = ["performance", "SharedArrayBuffer", "eval", "WeakRef", "FinalizationRegistry"];

/**
 * Closes the ways by which patched prototypes could reach the bridge. Resolving a promise reads `then`, native JSON
 * reads `toJSON`: neither may be added where every plain object or array would inherit it.
 */
export function harden(globals: object): void {
  for (let index = 0; index < removed.length; index++) deleteProperty(globals, removed[index] as string);
  preventExtensions(Object.prototype);
  lock(Array.prototype, "then", undefined);
  lock(Array.prototype, "toJSON", undefined);
  lock(Error, "prepareStackTrace", undefined);
  lock(Error, "stackTraceLimit", 10);
  blockDynamicCode();
}

function lock(target: object, key: string, value: unknown): void {
  defineProperty(target, key, { value, writable: false, enumerable: false, configurable: false });
}

/** `Function("…")` and its three siblings compile text: code that the module and syntax checks never saw. */
function blockDynamicCode(): void {
  const samples: readonly object[] = [() => 0, async () => 0, function* () {}, async function* () {}];
  for (let index = 0; index < samples.length; index++) {
    const prototype = Reflect.getPrototypeOf(samples[index] as object) as object;
    const blocked = function Function(): never {
      throw new TypeErrorConstructor("code cannot be made from text here: write it in the program itself");
    };
    defineProperty(blocked, "prototype", { value: prototype, writable: false });
    defineProperty(prototype, "constructor", { value: blocked, writable: true, enumerable: false, configurable: true });
    if (index === 0) defineProperty(globalThis, "Function", { value: blocked, writable: true, enumerable: false, configurable: true });
  }
}
