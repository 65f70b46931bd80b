import {
  dateToJson,
  defineProperty,
  hasOwn,
  isArray,
  isPromise,
  objectCreate,
  ownKeys,
  RangeErrorConstructor,
  SetConstructor,
  setAdd,
  setDelete,
  setHas,
  symbolToString,
  typedArrayTag,
} from "./intrinsics.ts";

/** Deeper values are refused: recursive consumers on the host would overflow (GUEST-6). */
const maxDepth = 500;

type Describe = {
  onPromise(): void;
  describeFunction(value: unknown): string;
  plainError(error: Error): object;
  plainMap(map: Map<unknown, unknown>): unknown;
  plainSet(set: Set<unknown>): unknown;
  plainTypedArray(value: unknown): unknown;
};

/** A copy of a value that native JSON can hold: cycles, promises, symbols and functions become descriptive strings. */
export function walkToPlain(value: unknown, path: string, describe: Describe): unknown {
  return new PlainWalk(describe).visit(value, path, 0);
}

class PlainWalk {
  readonly #describe: Describe;
  /** The objects on the way from the root to here: meeting one again is a cycle, a shared reference is not. */
  readonly #ancestors = new SetConstructor<object>();

  constructor(describe: Describe) {
    this.#describe = describe;
  }

  visit(value: unknown, path: string, depth: number): unknown {
    if (typeof value === "symbol") return symbolToString(value);
    if (typeof value === "function") return this.#describe.describeFunction(value);
    if (typeof value !== "object" || value === null) return value;
    if (isPromise(value)) {
      this.#describe.onPromise();
      return `[Promise at ${path}: await it]`;
    }
    if (setHas(this.#ancestors, value)) return "[Circular]";
    if (depth >= maxDepth)
      throw new RangeErrorConstructor(`${path} is nested more than ${maxDepth} levels deep; flatten it`);
    setAdd(this.#ancestors, value);
    const plain = this.#plainObject(value, path, depth);
    setDelete(this.#ancestors, value);
    return plain;
  }

  #plainObject(value: object, path: string, depth: number): unknown {
    const toJson = (value as { toJSON?: unknown }).toJSON;
    if (typeof toJson === "function" && !(value instanceof DateOfRealm))
      return this.visit((value as { toJSON(): unknown }).toJSON(), path, depth + 1);
    if (value instanceof DateOfRealm) return dateToJson(value);
    if (value instanceof MapOfRealm) return this.#copy(this.#describe.plainMap(value) as object, path, depth);
    if (value instanceof SetOfRealm) return this.#copy(this.#describe.plainSet(value) as object, path, depth);
    if (value instanceof ErrorOfRealm) return this.#copy(this.#describe.plainError(value), path, depth);
    if (typedArrayTag(value) !== undefined) return this.#describe.plainTypedArray(value);
    if (value instanceof BufferOfRealm || value instanceof ViewOfRealm) return value;
    return this.#copy(value, path, depth);
  }

  #copy(value: object, path: string, depth: number): unknown {
    if (isArray(value)) return this.#copyArray(value, path, depth);
    const copy = objectCreate(null) as object;
    const keys = ownKeys(value);
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index] as string | symbol;
      if (typeof key === "symbol" || !isEnumerable(value, key)) continue;
      setOwn(copy, key, this.visit((value as Record<string, unknown>)[key], `${path}.${key}`, depth + 1));
    }
    return copy;
  }

  #copyArray(value: readonly unknown[], path: string, depth: number): unknown[] {
    const copy: unknown[] = [];
    for (let index = 0; index < value.length; index++)
      setOwn(copy, index, this.visit(value[index], `${path}[${index}]`, depth + 1));
    return copy;
  }
}

const DateOfRealm = Date;
const MapOfRealm = Map;
const SetOfRealm = Set;
const ErrorOfRealm = Error;
const BufferOfRealm = ArrayBuffer;
const ViewOfRealm = DataView;
const isOwnEnumerable = Object.prototype.propertyIsEnumerable;
const callEnumerable = Reflect.apply;

function isEnumerable(target: object, key: string): boolean {
  return hasOwn(target, key) && (callEnumerable(isOwnEnumerable, target, [key]) as boolean);
}

function setOwn(target: object, key: PropertyKey, value: unknown): void {
  defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}
