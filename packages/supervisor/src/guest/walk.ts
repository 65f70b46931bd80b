import {
  dateToJson,
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
  setOwn,
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

  /** One frame a level: 500 levels must fit the engine's stack. */
  visit(value: unknown, path: string, depth: number): unknown {
    if (typeof value !== "object" || value === null || isPromise(value)) return this.#leaf(value, path);
    if (setHas(this.#ancestors, value)) return "[Circular]";
    if (depth >= maxDepth)
      throw new RangeErrorConstructor(`the value is nested more than ${maxDepth} levels deep; flatten it`);
    const source = this.#sourceOf(value);
    if (typeof source !== "object" || source === null || isBuffer(source)) return this.#leaf(source, path);
    setAdd(this.#ancestors, value);
    if (source instanceof Produced) {
      const produced = this.visit(source.value, path, depth + 1);
      setDelete(this.#ancestors, value);
      return produced;
    }
    const list = isArray(source);
    const copy: object = list ? [] : (objectCreate(null) as object);
    const keys = list ? undefined : ownKeys(source);
    const length = keys === undefined ? (source as unknown[]).length : keys.length;
    for (let index = 0; index < length; index++) {
      const key = keys === undefined ? index : (keys[index] as string | symbol);
      if (keys !== undefined && (typeof key === "symbol" || !isEnumerable(source, key as string))) continue;
      const member = (source as Record<PropertyKey, unknown>)[key];
      setOwn(copy, key, this.visit(member, list ? `${path}[${index}]` : `${path}.${key as string}`, depth + 1));
    }
    setDelete(this.#ancestors, value);
    return copy;
  }

  #leaf(value: unknown, path: string): unknown {
    if (typeof value === "symbol") return symbolToString(value);
    if (typeof value === "function") return this.#describe.describeFunction(value);
    if (typeof value !== "object" || value === null || !isPromise(value)) return value;
    this.#describe.onPromise();
    return `[Promise at ${path}: await it]`;
  }

  /** The object whose members are copied for this one, or the plain value that stands for it. */
  #sourceOf(value: object): unknown {
    if (value instanceof DateOfRealm) return dateToJson(value);
    const toJson = (value as { toJSON?: unknown }).toJSON;
    if (typeof toJson === "function") return new Produced((value as { toJSON(): unknown }).toJSON());
    if (value instanceof MapOfRealm) return this.#describe.plainMap(value);
    if (value instanceof SetOfRealm) return this.#describe.plainSet(value);
    if (value instanceof ErrorOfRealm) return this.#describe.plainError(value);
    return typedArrayTag(value) === undefined ? value : this.#describe.plainTypedArray(value);
  }
}

/** What a `toJSON` of the program gave; it is walked in place of its object. */
class Produced {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

function isBuffer(value: object): boolean {
  return value instanceof BufferOfRealm || value instanceof ViewOfRealm;
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
