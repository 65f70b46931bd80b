import { defineProperty, deleteProperty, preventExtensions } from "./intrinsics.ts";

/** Globals that a program must not have: a clock for timing attacks, cross-thread memory, observation of the collector. */
const removed = ["performance", "SharedArrayBuffer", "WeakRef", "FinalizationRegistry"];

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
}

function lock(target: object, key: string, value: unknown): void {
  defineProperty(target, key, { value, writable: false, enumerable: false, configurable: false });
}
