import {
  arrayBufferByteLength,
  defineProperty,
  deleteProperty,
  freeze,
  getOwnPropertyDescriptor,
  hasOwn,
  mapForEach,
  objectCreate,
  ownKeys,
  StringOf,
  setForEach,
  setOwn,
  stringifyJson,
  symbolToString,
  TypeErrorConstructor,
  typedArrayLength,
  typedArrayPrototype,
  typedArrayTag,
} from "./intrinsics.ts";
import { isSmallPlain } from "./is-small-plain.ts";
import { walkToPlain } from "./walk.ts";

/** Elements of a typed array that still cross as numbers; larger ones are data for a tool, not for the model (OUT-3). */
const maxTypedArrayElements = 1024;

/** Set by the promise adapter while a fast serialization runs; one VM, one thread. */
const met = { promise: false };

type Adapter = (this: unknown) => unknown;

/** How native `JSON.stringify` is taught the types it drops, for the time of one call: `[prototype, toJSON]`. */
const adapters: readonly (readonly [object, Adapter])[] = freeze([
  freeze([
    Map.prototype,
    function mapToJson(this: unknown) {
      return plainMap(this as Map<unknown, unknown>);
    },
  ] as const),
  freeze([
    Set.prototype,
    function setToJson(this: unknown) {
      return plainSet(this as Set<unknown>);
    },
  ] as const),
  freeze([
    Error.prototype,
    function errorToJson(this: unknown) {
      return plainError(this as Error);
    },
  ] as const),
  freeze([
    BigInt.prototype,
    function bigintToJson(this: unknown) {
      return StringOf(this);
    },
  ] as const),
  freeze([
    Function.prototype,
    function functionToJson(this: unknown) {
      return describeFunction(this);
    },
  ] as const),
  freeze([
    typedArrayPrototype,
    function typedToJson(this: unknown) {
      return plainTypedArray(this);
    },
  ] as const),
  freeze([
    ArrayBuffer.prototype,
    function bufferToJson(this: unknown) {
      return describeBinary("ArrayBuffer", arrayBufferByteLength(this));
    },
  ] as const),
  freeze([
    DataView.prototype,
    function viewToJson(this: unknown) {
      return describeBinary("DataView", (this as DataView).byteLength);
    },
  ] as const),
  freeze([
    Promise.prototype,
    function promiseToJson(this: unknown) {
      met.promise = true;
      return null;
    },
  ] as const),
]);

/**
 * JSON text of any guest value (OUT-3), by one native `JSON.stringify`: a walk in the guest costs four to five times
 * as much and is only for cycles, promises and symbols.
 * @param path names the value in placeholders of promises
 * @param onPromise called once when a promise had to be replaced by a placeholder
 */
export function toJsonText(value: unknown, path: string, onPromise: () => void, mayHoldSymbols: boolean): string {
  if (isSmallPlain(value)) return stringifyJson(value) ?? "null";
  if (typeof value === "symbol") return stringifyJson(symbolToString(value)) as string;
  if (!mayHoldSymbols) {
    const fast = toJsonTextFast(value);
    if (fast !== undefined) return fast;
  }
  return (
    stringifyAdapted(
      walkToPlain(value, path, { onPromise, describeFunction, plainError, plainMap, plainSet, plainTypedArray }),
    ) ?? "null"
  );
}

/** The fast path of `toJsonText`: `undefined` when a promise was met or native stringify failed on a cycle. */
function toJsonTextFast(value: unknown): string | undefined {
  met.promise = false;
  try {
    const text = stringifyAdapted(value) ?? "null";
    return met.promise ? undefined : text;
  } catch (error) {
    // A TypeError here is a cycle or a throwing toJSON of the program; the walk tells them apart.
    if (error instanceof TypeErrorConstructor) return undefined;
    throw error;
  }
}

function stringifyAdapted(value: unknown): string | undefined {
  let installed = 0;
  try {
    for (; installed < adapters.length; installed++) {
      const adapter = adapters[installed] as readonly [object, Adapter];
      if (!hasOwn(adapter[0], "toJSON"))
        defineProperty(adapter[0], "toJSON", {
          value: adapter[1],
          configurable: true,
          enumerable: false,
          writable: true,
        });
    }
    return stringifyJson(value);
  } finally {
    for (let index = 0; index < installed; index++) {
      const adapter = adapters[index] as readonly [object, Adapter];
      if (getOwnPropertyDescriptor(adapter[0], "toJSON")?.value === adapter[1]) deleteProperty(adapter[0], "toJSON");
    }
  }
}

function plainMap(map: Map<unknown, unknown>): unknown {
  let onlyStrings = true;
  mapForEach(map, (_value, key) => {
    if (typeof key !== "string") onlyStrings = false;
  });
  if (onlyStrings) {
    const result = objectCreate(null) as object;
    mapForEach(map, (value, key) => setOwn(result, key as string, value));
    return result;
  }
  const entries: unknown[] = [];
  mapForEach(map, (value, key) => {
    const pair: unknown[] = [];
    setOwn(pair, 0, key);
    setOwn(pair, 1, value);
    setOwn(entries, entries.length, pair);
  });
  return entries;
}

function plainSet(set: Set<unknown>): unknown[] {
  const items: unknown[] = [];
  setForEach(set, (item) => setOwn(items, items.length, item));
  return items;
}

function plainError(error: Error): object {
  const result = objectCreate(null) as object;
  setOwn(result, "name", error.name);
  setOwn(result, "message", error.message);
  const keys = ownKeys(error);
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] as string | symbol;
    if (typeof key !== "string" || key === "stack" || key === "name" || key === "message") continue;
    if (getOwnPropertyDescriptor(error, key)?.enumerable)
      setOwn(result, key, (error as unknown as Record<string, unknown>)[key]);
  }
  if (hasOwn(error, "cause")) setOwn(result, "cause", error.cause);
  return result;
}

function plainTypedArray(value: unknown): unknown {
  const tag = typedArrayTag(value);
  const length = typedArrayLength(value);
  if (length > maxTypedArrayElements) return describeBinary(tag ?? "TypedArray", (value as Uint8Array).byteLength);
  const numbers: unknown[] = [];
  for (let index = 0; index < length; index++) setOwn(numbers, index, (value as Uint8Array)[index]);
  return numbers;
}

function describeBinary(type: string, bytes: number): string {
  return `[${type}: ${bytes} bytes, binary not supported]`;
}

function describeFunction(value: unknown): string {
  const name = getOwnPropertyDescriptor(value as object, "name")?.value;
  return `[Function: ${typeof name === "string" && name !== "" ? name : "anonymous"}]`;
}
