import {
  apply,
  arrayJoin,
  arraySort,
  arraySplice,
  encodeComponent,
  getOwnPropertyDescriptor,
  indexOf,
  needArguments,
  ownKeys,
  slice,
  split,
  TypeErrorOf,
  toScalarString,
} from "./captured.ts";
import { percentDecode } from "./percent-encoding.ts";

type Pair = [name: string, value: string];

/** The list behind a `URLSearchParams`. Programs never see one, so the constructor below can take it as a link. */
export class ParamList {
  pairs: Pair[] = [];
  readonly onChange: (query: string) => void;

  constructor(onChange: (query: string) => void = () => undefined) {
    this.onChange = onChange;
  }

  /** Replaces all pairs by those of an `application/x-www-form-urlencoded` text. */
  read(query: string): void {
    const parts = split(query, "&");
    this.pairs = [];
    for (let index = 0; index < parts.length; index++) {
      const part = parts[index] as string;
      if (part === "") continue;
      const equals = indexOf(part, "=");
      const name = equals < 0 ? part : slice(part, 0, equals);
      this.pairs[this.pairs.length] = [decodeForm(name), equals < 0 ? "" : decodeForm(slice(part, equals + 1))];
    }
  }

  write(): string {
    const parts: string[] = [];
    for (let index = 0; index < this.pairs.length; index++) {
      const [name, value] = this.pairs[index] as Pair;
      parts[index] = `${encodeForm(name)}=${encodeForm(value)}`;
    }
    return arrayJoin(parts, "&");
  }

  /** Removes matching pairs from `from` on, except the one at `keep`. */
  remove(name: string, value: string | undefined, keep = -1): void {
    for (let index = this.pairs.length - 1; index >= 0; index--) {
      if (index !== keep && matches(this.pairs[index] as Pair, name, value)) arraySplice(this.pairs, index, 1);
    }
  }

  find(name: string, value: string | undefined): number {
    for (let index = 0; index < this.pairs.length; index++) {
      if (matches(this.pairs[index] as Pair, name, value)) return index;
    }
    return -1;
  }

  changed(): void {
    this.onChange(this.write());
  }
}

/** The guest's `URLSearchParams`; the URL that owns it, if any, is told of each change. */
export class SearchParams {
  readonly #list: ParamList;

  constructor(init: unknown = "") {
    this.#list = init instanceof ParamList ? init : new ParamList();
    if (init instanceof ParamList) return;
    if ((typeof init === "object" && init !== null) || typeof init === "function") this.#readObject(init);
    else this.#list.read(withoutMark(toScalarString(init)));
  }

  get size(): number {
    return this.#list.pairs.length;
  }

  append(name: unknown, value: unknown): void {
    // biome-ignore lint/complexity/noArguments: optional arguments and missing ones differ only here
    needArguments(arguments.length, 2, "append(name, value)");
    const { pairs } = this.#list;
    pairs[pairs.length] = [toScalarString(name), toScalarString(value)];
    this.#list.changed();
  }

  delete(name: unknown, value?: unknown): void {
    // biome-ignore lint/complexity/noArguments: as in append
    needArguments(arguments.length, 1, "delete(name)");
    this.#list.remove(toScalarString(name), value === undefined ? undefined : toScalarString(value));
    this.#list.changed();
  }

  get(name: unknown): string | null {
    // biome-ignore lint/complexity/noArguments: as in append
    needArguments(arguments.length, 1, "get(name)");
    const at = this.#list.find(toScalarString(name), undefined);
    return at < 0 ? null : (this.#list.pairs[at] as Pair)[1];
  }

  getAll(name: unknown): string[] {
    // biome-ignore lint/complexity/noArguments: as in append
    needArguments(arguments.length, 1, "getAll(name)");
    const wanted = toScalarString(name);
    const values: string[] = [];
    for (let index = 0; index < this.#list.pairs.length; index++) {
      const pair = this.#list.pairs[index] as Pair;
      if (pair[0] === wanted) values[values.length] = pair[1];
    }
    return values;
  }

  has(name: unknown, value?: unknown): boolean {
    // biome-ignore lint/complexity/noArguments: as in append
    needArguments(arguments.length, 1, "has(name)");
    return this.#list.find(toScalarString(name), value === undefined ? undefined : toScalarString(value)) >= 0;
  }

  set(name: unknown, value: unknown): void {
    // biome-ignore lint/complexity/noArguments: as in append
    needArguments(arguments.length, 2, "set(name, value)");
    const list = this.#list;
    const [key, text] = [toScalarString(name), toScalarString(value)];
    const first = list.find(key, undefined);
    if (first < 0) list.pairs[list.pairs.length] = [key, text];
    else {
      list.remove(key, undefined, first);
      list.pairs[first] = [key, text];
    }
    list.changed();
  }

  sort(): void {
    arraySort(this.#list.pairs, ([left], [right]) => (left < right ? -1 : left > right ? 1 : 0));
    this.#list.changed();
  }

  forEach(callback: (value: string, name: string, params: SearchParams) => void, self?: unknown): void {
    if (typeof callback !== "function") throw new TypeErrorOf("forEach(callback): the callback must be a function");
    for (let index = 0; index < this.#list.pairs.length; index++) {
      const [name, value] = this.#list.pairs[index] as Pair;
      apply(callback, self, [value, name, this]);
    }
  }

  *entries(): Generator<Pair, undefined> {
    for (let index = 0; index < this.#list.pairs.length; index++) {
      const [name, value] = this.#list.pairs[index] as Pair;
      yield [name, value];
    }
  }

  *keys(): Generator<string, undefined> {
    for (let index = 0; index < this.#list.pairs.length; index++) yield (this.#list.pairs[index] as Pair)[0];
  }

  *values(): Generator<string, undefined> {
    for (let index = 0; index < this.#list.pairs.length; index++) yield (this.#list.pairs[index] as Pair)[1];
  }

  [Symbol.iterator](): Generator<Pair, undefined> {
    return this.entries();
  }

  toString(): string {
    return this.#list.write();
  }

  #readObject(init: object): void {
    const { pairs } = this.#list;
    if ((init as Iterable<unknown>)[Symbol.iterator] != null) {
      for (const item of init as Iterable<Iterable<unknown>>) pairs[pairs.length] = readPair(item);
      return;
    }
    const keys = ownKeys(init);
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index] as string;
      if (getOwnPropertyDescriptor(init, key)?.enumerable !== true) continue;
      pairs[pairs.length] = [toScalarString(key), toScalarString((init as Record<string, unknown>)[key])];
    }
  }
}

function readPair(item: Iterable<unknown>): Pair {
  const parts: string[] = [];
  if (typeof item === "object" && item !== null && typeof item[Symbol.iterator] === "function") {
    for (const part of item) parts[parts.length] = toScalarString(part);
  }
  if (parts.length !== 2) throw new TypeErrorOf("URLSearchParams: each item must be a pair [name, value]");
  return parts as unknown as Pair;
}

function matches(pair: Pair, name: string, value: string | undefined): boolean {
  return pair[0] === name && (value === undefined || pair[1] === value);
}

function withoutMark(query: string): string {
  return query[0] === "?" ? slice(query, 1) : query;
}

function decodeForm(text: string): string {
  return percentDecode(arrayJoin(split(text, "+"), " "));
}

function encodeForm(text: string): string {
  const encoded = encodeComponent(text);
  let result = "";
  let start = 0;
  for (let index = 0; index < encoded.length; index++) {
    const at = indexOf("!'()~", encoded[index] as string);
    if (at < 0) continue;
    result += slice(encoded, start, index) + formEscapes[at];
    start = index + 1;
  }
  return arrayJoin(split(result + slice(encoded, start), "%20"), "+");
}

const formEscapes = ["%21", "%27", "%28", "%29", "%7E"];
