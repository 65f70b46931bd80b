import {
  defineProperty,
  inherits,
  isArray,
  isView,
  MapOf,
  mapForEach,
  mapGet,
  mapSet,
  needArguments,
  objectKeys,
  SetOf,
  setAdd,
  setForEach,
} from "./captured.ts";
import { copyView, detachBuffer, isLiveBuffer } from "./clone-buffers.ts";
import { copyError, dataCloneError, defineHidden } from "./clone-errors.ts";
import { copyLeaf, isMap, isSet, setSize } from "./clone-leaves.ts";

/** The guest's `structuredClone` (GUEST-7): as on the web, with ArrayBuffers as the only transferable objects. */
export function createStructuredClone(): (value: unknown, options?: CloneOptions | null) => unknown {
  function structuredClone(value: unknown, options?: CloneOptions | null): unknown {
    // biome-ignore lint/complexity/noArguments: `structuredClone()` and `structuredClone(undefined)` differ only here
    needArguments(arguments.length, 1, "structuredClone(value)");
    const transferred = readTransfer(options?.transfer);
    const copy = new Cloner().run(value);
    for (let index = 0; index < transferred.length; index++) detachBuffer(transferred[index] as ArrayBuffer);
    return copy;
  }
  return defineProperty(structuredClone, "name", { value: "structuredClone", configurable: true });
}

/** Options of `structuredClone`. */
export type CloneOptions = { readonly transfer?: Iterable<unknown> };

const errorPrototype = Error.prototype;
const objectPrototype = Object.prototype;
const prototypeOf = Object.getPrototypeOf as (value: object) => object | null;
const hasOwn = Object.hasOwn;

/** One clone in progress. It keeps a list of work instead of recursing: the engine's stack is small. */
class Cloner {
  readonly #copies = new MapOf<object, object>();
  readonly #work: (() => void)[] = [];

  run(value: unknown): unknown {
    const copy = this.#copy(value);
    while (this.#work.length > 0) {
      const next = this.#work[this.#work.length - 1] as () => void;
      this.#work.length--;
      next();
    }
    return copy;
  }

  #copy(value: unknown): unknown {
    if (typeof value === "function") throw dataCloneError("a function");
    if (typeof value === "symbol") throw dataCloneError("a symbol");
    return typeof value === "object" && value !== null ? this.#copyObject(value) : value;
  }

  #copyObject(source: object): object {
    const known = mapGet(this.#copies, source);
    if (known !== undefined) return known;
    const copy = this.#create(source);
    mapSet(this.#copies, source, copy);
    return copy;
  }

  #create(source: object): object {
    if (isArray(source)) return this.#later([], (copy) => this.#fillArray(source, copy));
    const prototype = prototypeOf(source);
    if (prototype !== objectPrototype && prototype !== null) {
      if (isView(source)) return copyView(source, (buffer) => this.#copyObject(buffer));
      const special = this.#createSpecial(source);
      if (special !== undefined) return special;
    }
    return this.#later({}, (copy) => this.#fillObject(source, copy));
  }

  #createSpecial(source: object): object | undefined {
    if (isMap(source)) return this.#later(new MapOf(), (copy) => this.#fillMap(source, copy));
    if (isSet(source)) return this.#later(new SetOf(), (copy) => this.#fillSet(source, copy));
    if (inherits(errorPrototype, source)) {
      const copy = copyError(source as Error);
      if (!hasOwn(source, "cause")) return copy;
      return this.#later(copy, () => defineHidden(copy, "cause", this.#copy((source as Error).cause)));
    }
    return copyLeaf(source);
  }

  #later<T extends object>(copy: T, fill: (copy: T) => void): T {
    this.#work[this.#work.length] = () => fill(copy);
    return copy;
  }

  #fillArray(source: readonly unknown[], copy: unknown[]): void {
    this.#fillObject(source, copy);
    copy.length = source.length;
  }

  #fillObject(source: object, copy: object): void {
    const keys = objectKeys(source);
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index] as string;
      if (!hasOwn(source, key)) continue;
      const value = this.#copy((source as Record<string, unknown>)[key]);
      // an inherited key, such as `__proto__`, may have a setter; for all others assigning is faster
      if (key in copy) defineProperty(copy, key, { value, writable: true, enumerable: true, configurable: true });
      else (copy as Record<string, unknown>)[key] = value;
    }
  }

  #fillMap(source: Map<unknown, unknown>, copy: Map<unknown, unknown>): void {
    mapForEach(source, (value, key) => mapSet(copy, this.#copy(key), this.#copy(value)));
  }

  #fillSet(source: Set<unknown>, copy: Set<unknown>): void {
    setForEach(source, (value) => setAdd(copy, this.#copy(value)));
  }
}

function readTransfer(list: Iterable<unknown> | undefined): ArrayBuffer[] {
  const buffers: ArrayBuffer[] = [];
  if (list === undefined) return buffers;
  const seen = new SetOf<unknown>();
  for (const item of list) {
    if (!isLiveBuffer(item))
      throw dataCloneError("what is in `transfer`: only ArrayBuffers that still have their memory can be");
    setAdd(seen, item);
    if (setSize(seen) === buffers.length) throw dataCloneError("an ArrayBuffer that is in `transfer` twice");
    buffers[buffers.length] = item;
  }
  return buffers;
}
