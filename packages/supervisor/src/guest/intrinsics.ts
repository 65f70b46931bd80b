/**
 * Intrinsics captured before user code runs. Guest code of ours uses only these: a program may patch every
 * prototype and global, and must not reach the bridge with it. For the same reason our guest code never iterates
 * with `for…of`, never spreads, and never assigns to array indices.
 */
const { apply: reflectApply, ownKeys: reflectOwnKeys, getPrototypeOf: reflectGetPrototypeOf } = Reflect;

type AnyFunction = (...args: never[]) => unknown;

/** `fn.call(self, …)` without touching `Function.prototype.call`. */
export function uncurry<Self, Args extends unknown[], Result>(
  fn: (this: Self, ...args: Args) => Result,
): (self: Self, ...args: Args) => Result {
  return (self, ...args) => reflectApply(fn as AnyFunction, self, args) as Result;
}

export const apply: (fn: unknown, self: unknown, args: readonly unknown[]) => unknown = reflectApply as never;
export const deleteProperty: (target: object, key: PropertyKey) => boolean = Reflect.deleteProperty;
export const ownKeys: (target: object) => (string | symbol)[] = reflectOwnKeys;
export const prototypeOf: (target: object) => object | null = reflectGetPrototypeOf;
export const { defineProperty, freeze, getOwnPropertyDescriptor, preventExtensions, create: objectCreate } = Object;
export const hasOwn: (target: object, key: PropertyKey) => boolean = Object.hasOwn;
export const isArray: (value: unknown) => value is unknown[] = Array.isArray;
export const parseJson: (text: string) => unknown = JSON.parse;
const nativeStringify: (value: unknown) => string | undefined = JSON.stringify;
const arrayPrototype = Array.prototype;

/**
 * Native `JSON.stringify`. The engine itself pushes to an array while it works, so a setter that a program puts on an
 * index of `Array.prototype` would stop it: such setters are removed when it fails.
 */
export function stringifyJson(value: unknown): string | undefined {
  try {
    return nativeStringify(value);
  } catch (error) {
    if (!removeIndexMembers()) throw error;
    return nativeStringify(value);
  }
}

function removeIndexMembers(): boolean {
  const keys = reflectOwnKeys(arrayPrototype);
  let removed = false;
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] as string | symbol;
    if (typeof key === "string" && +key >= 0 && deleteArrayMember(arrayPrototype, key)) removed = true;
  }
  return removed;
}

const deleteArrayMember = Reflect.deleteProperty;
export const now: () => number = Date.now;
export const { max, min } = Math;
export const StringOf: (value: unknown) => string = String;
export const NumberOf: (value: unknown) => number = Number;

const stackGetter = Object.getOwnPropertyDescriptor(Error.prototype, "stack")?.get;

/** Where an error was made; a program may replace the accessor that errors inherit. */
export function stackOf(error: Error): string {
  const stack = stackGetter === undefined ? error.stack : (apply(stackGetter, error, []) as string | undefined);
  return typeof stack === "string" ? stack : "";
}

export const PromiseConstructor = Promise;
export const MapConstructor = Map;
export const SetConstructor = Set;
export const WeakSetConstructor = WeakSet;
export const ProxyConstructor = Proxy;
export const ErrorConstructor = Error;
export const TypeErrorConstructor = TypeError;
export const RangeErrorConstructor = RangeError;
export const ReferenceErrorConstructor = ReferenceError;

export const mapGet = uncurry(Map.prototype.get) as <K, V>(map: Map<K, V>, key: K) => V | undefined;
export const mapSet = uncurry(Map.prototype.set) as <K, V>(map: Map<K, V>, key: K, value: V) => Map<K, V>;
export const mapHas = uncurry(Map.prototype.has) as <K, V>(map: Map<K, V>, key: K) => boolean;
export const mapDelete = uncurry(Map.prototype.delete) as <K, V>(map: Map<K, V>, key: K) => boolean;
export const mapForEach = uncurry(Map.prototype.forEach) as <K, V>(
  map: Map<K, V>,
  visit: (value: V, key: K) => void,
) => void;
export const setForEach = uncurry(Set.prototype.forEach) as <T>(set: Set<T>, visit: (value: T) => void) => void;
export const setAdd = uncurry(Set.prototype.add) as <T>(set: Set<T>, value: T) => Set<T>;
export const setHas = uncurry(Set.prototype.has) as <T>(set: Set<T>, value: T) => boolean;
export const setDelete = uncurry(Set.prototype.delete) as <T>(set: Set<T>, value: T) => boolean;
export const weakSetAdd = uncurry(WeakSet.prototype.add) as (set: WeakSet<object>, value: object) => WeakSet<object>;
export const weakSetHas = uncurry(WeakSet.prototype.has) as (set: WeakSet<object>, value: object) => boolean;
export const stringSlice = uncurry(String.prototype.slice) as (text: string, start: number, end?: number) => string;
export const stringIncludes = uncurry(String.prototype.includes) as (text: string, part: string) => boolean;
export const stringTrim = uncurry(String.prototype.trim) as (text: string) => string;
export const symbolToString = uncurry(Symbol.prototype.toString) as (symbol: symbol) => string;
export const dateToJson = uncurry(Date.prototype.toJSON) as unknown as (date: Date) => string | null;

const sizeGetter = <T>(prototype: object): ((self: T) => number) =>
  uncurry(Object.getOwnPropertyDescriptor(prototype, "size")?.get as (this: T) => number);
export const mapSize: (map: Map<unknown, unknown>) => number = sizeGetter(Map.prototype);
export const setSize: (set: Set<unknown>) => number = sizeGetter(Set.prototype);

/** %TypedArray%.prototype and its getters. */
export const typedArrayPrototype = Object.getPrototypeOf(Uint8Array.prototype) as object;
const typedGetter = <T>(key: PropertyKey): ((self: unknown) => T) =>
  uncurry(Object.getOwnPropertyDescriptor(typedArrayPrototype, key)?.get as (this: unknown) => T);
export const typedArrayLength: (self: unknown) => number = typedGetter("length");
export const typedArrayTag: (self: unknown) => string | undefined = typedGetter(Symbol.toStringTag);
export const arrayBufferByteLength: (self: unknown) => number = uncurry(
  Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, "byteLength")?.get as (this: unknown) => number,
);

/** True for native promises, also of subclasses; never calls user code. */
export function isPromise(value: unknown): value is Promise<unknown> {
  if (typeof value !== "object" || value === null) return false;
  let link: object | null = value;
  for (let steps = 0; link !== null && steps < 100; steps++) {
    if (link === promisePrototype) return true;
    link = prototypeOf(link);
  }
  return false;
}

const promisePrototype = Promise.prototype;

/** Defines a data property without running setters a program may have put on a prototype. */
export function setOwn(target: object, key: PropertyKey, value: unknown): void {
  defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}
