import { getterOf, inherits, uncurry } from "./captured.ts";
import { bufferLength, copyBuffer } from "./clone-buffers.ts";
import { dataCloneError } from "./clone-errors.ts";

/** How to copy one built-in type: `brand` throws when an object only looks like it. */
type LeafKind = {
  readonly prototype: object;
  readonly brand: (source: object) => unknown;
  readonly copy: (source: object) => object;
};

const { Date: DateOf, RegExp: RegExpOf, Object: ObjectOf } = globalThis;
const mapPrototype = Map.prototype;
const setPrototype = Set.prototype;
const dateTime = /* @__PURE__ */ uncurry(Date.prototype.getTime as (this: object) => number);
const patternOf = getterOf<string>(RegExp.prototype, "source");
const flagsOf = getterOf<string>(RegExp.prototype, "flags");
const mapSize = getterOf<number>(Map.prototype, "size");
/** Brand check and size of a Set. */
export const setSize = getterOf<number>(Set.prototype, "size");

/** Types that are copied as a whole, without looking at their properties, and those that cannot be copied. */
const leafKinds: readonly LeafKind[] = [
  { prototype: Date.prototype, brand: dateTime, copy: (source) => new DateOf(dateTime(source)) },
  { prototype: RegExp.prototype, brand: patternOf, copy: (source) => new RegExpOf(patternOf(source), flagsOf(source)) },
  { prototype: ArrayBuffer.prototype, brand: bufferLength, copy: (source) => copyBuffer(source as ArrayBuffer) },
  boxed(Boolean.prototype),
  boxed(Number.prototype),
  boxed(String.prototype),
  boxed(BigInt.prototype),
  refused(Symbol.prototype, "a Symbol object"),
  refused(Promise.prototype, "a Promise: await it first"),
  refused(WeakMap.prototype, "a WeakMap"),
  refused(WeakSet.prototype, "a WeakSet"),
  refused(prototypeAbove(new Map().keys(), 2), "an iterator: collect it into an array first"),
  refused(prototypeAbove(emptyAsyncGenerator(), 3), "an iterator: collect it into an array first"),
];

/** A copy of a Date, RegExp, ArrayBuffer or boxed primitive; `undefined` for what has to be copied by its properties. */
export function copyLeaf(source: object): object | undefined {
  for (let index = 0; index < leafKinds.length; index++) {
    const { prototype, brand, copy } = leafKinds[index] as LeafKind;
    if (isBranded(source, prototype, brand)) return copy(source);
  }
  return undefined;
}

/** True for a Map, also of a subclass. */
export function isMap(value: object): value is Map<unknown, unknown> {
  return isBranded(value, mapPrototype, mapSize);
}

/** True for a Set, also of a subclass. */
export function isSet(value: object): value is Set<unknown> {
  return isBranded(value, setPrototype, setSize);
}

/** The prototype is looked at first: a brand check that fails is slow. */
function isBranded(value: object, prototype: object, brand: (value: object) => unknown): boolean {
  if (!inherits(prototype, value)) return false;
  try {
    brand(value);
    return true;
  } catch {
    return false;
  }
}

function boxed(prototype: { valueOf(): unknown }): LeafKind {
  const unbox = uncurry(prototype.valueOf as (this: object) => unknown);
  return { prototype, brand: unbox, copy: (source) => ObjectOf(unbox(source)) as object };
}

function refused(prototype: object, what: string): LeafKind {
  const refuse = (): never => {
    throw dataCloneError(what);
  };
  return { prototype, brand: () => undefined, copy: refuse };
}

/** The prototypes that all iterators have are reached only from an iterator. */
function prototypeAbove(value: object, steps: number): object {
  return steps === 0 ? value : prototypeAbove(Object.getPrototypeOf(value) as object, steps - 1);
}

async function* emptyAsyncGenerator(): AsyncGenerator<undefined> {
  yield undefined;
}
