import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createStructuredClone } from "../../src/guest/polyfills/structured-clone.ts";

const clone = createStructuredClone() as <T>(value: T, options?: { transfer?: Iterable<unknown> }) => T;

class Point {
  x = 1;
  #hidden = 2;
  get sum(): number {
    return this.x + this.#hidden;
  }
}

const buffer = new Uint8Array([1, 2, 3, 4, 5, 6, 7, 8]).buffer;
const values: [string, () => unknown][] = [
  ["primitives", () => [1, -0, Number.NaN, "a", true, null, undefined, 12n]],
  ["objects without a prototype", () => Object.assign(Object.create(null), { a: 1 })],
  ["class instances as plain objects", () => new Point()],
  [
    "accessors as values",
    () => ({
      get a() {
        return 1;
      },
    }),
  ],
  [
    "only enumerable, string-keyed, own properties",
    () =>
      Object.defineProperty(Object.assign(Object.create({ inherited: 1 }), { [Symbol.iterator]: 1, a: 1 }), "b", {
        value: 2,
      }),
  ],
  ["sparse arrays with further properties", () => Object.assign(new Array(5), { 0: 1, 2: 3, extra: 1 })],
  ["long sparse arrays", () => Object.assign(new Array(1_000_000), { 5: 1 })],
  [
    "Maps and Sets in order",
    () =>
      new Map<unknown, unknown>([
        [{ k: 1 }, new Set([1, "a"])],
        ["b", new Map()],
      ]),
  ],
  ["Dates, also invalid ones", () => [new Date(5), new Date(Number.NaN)]],
  ["RegExps", () => /a[/]b\n/giu],
  ["boxed primitives", () => [Object(1), Object("ab"), Object(false), Object(3n)]],
  [
    "typed arrays and DataViews",
    () => [
      new Uint8Array(buffer, 2, 3),
      new Float64Array([1.5]),
      new BigInt64Array([1n]),
      new DataView(buffer, 1, 4),
      new Uint8ClampedArray([300]),
    ],
  ],
  ["ArrayBuffers", () => buffer],
  ["objects that only look like a Map", () => Object.assign(Object.create(Map.prototype), { a: 1 })],
  ["objects with a misleading tag", () => ({ [Symbol.toStringTag]: "Date", a: 1 })],
  ["inherited names as own keys", () => ({ toString: 1, constructor: 2, hasOwnProperty: 3 })],
];

describe("values", () => {
  it.each(values)("GUEST-7 structuredClone copies %s as Node does", (_name, make) => {
    const source = make();
    const copy = clone(source);
    expect(copy).toStrictEqual(structuredClone(source));
    if (typeof source === "object" && source !== null) expect(copy).not.toBe(source);
  });

  it("GUEST-7 cycles and shared parts keep their shape", () => {
    const shared = { s: 1 };
    const source: Record<string, unknown> = { a: shared, b: shared, map: new Map(), list: [] };
    source.self = source;
    (source.map as Map<unknown, unknown>).set(source, source.map);
    (source.list as unknown[]).push(source.list);
    const copy = clone(source) as typeof source & { map: Map<unknown, unknown>; list: unknown[] };
    expect([
      copy.self === copy,
      copy.a === copy.b,
      copy.a !== shared,
      copy.map.get(copy) === copy.map,
      copy.list[0] === copy.list,
    ]).toEqual([true, true, true, true, true]);
  });

  it("GUEST-7 views of one buffer share one copy of it", () => {
    const [first, second] = clone([new Uint8Array(buffer), new Uint16Array(buffer, 2, 1)]) as [Uint8Array, Uint16Array];
    expect([first.buffer === second.buffer, first.buffer !== buffer, second.byteOffset]).toEqual([true, true, 2]);
    const resizable = new ArrayBuffer(4, { maxByteLength: 16 });
    expect([clone(resizable).resizable, clone(resizable).maxByteLength]).toEqual([true, 16]);
  });

  it("GUEST-7 a __proto__ key is copied as a key, never as a prototype", () => {
    const source = JSON.parse('{"__proto__": {"polluted": true}, "a": {"__proto__": 1}}') as object;
    const copy = clone(source);
    expect(JSON.stringify(copy)).toBe(JSON.stringify(source));
    expect([Object.getPrototypeOf(copy) === Object.prototype, (copy as { polluted?: unknown }).polluted]).toEqual([
      true,
      undefined,
    ]);
  });

  it("GUEST-7 errors keep type, message, stack and cause", () => {
    class Custom extends TypeError {
      override name = "Custom";
      extra = 1;
    }
    const sources = [
      new Error("a"),
      new RangeError("b", { cause: { c: new Date(1) } }),
      new Custom("d"),
      new AggregateError([1], "e"),
      new Error(),
    ];
    for (const source of sources) {
      const [mine, theirs] = [clone(source), structuredClone(source)];
      const facts = (error: Error): unknown => [
        Object.getPrototypeOf(error) === Object.getPrototypeOf(theirs),
        error.name,
        error.stack,
        Object.getOwnPropertyNames(error).sort(),
        error.message,
        error.cause,
      ];
      expect(facts(mine)).toEqual(facts(theirs));
    }
    const exception = clone(new DOMException("m", "AbortError"));
    expect([exception instanceof DOMException, exception.name, exception.message]).toEqual([true, "AbortError", "m"]);
  });

  it("GUEST-7 deep nesting needs no stack", () => {
    let deep: unknown = "end";
    for (let level = 0; level < 200_000; level++) deep = [deep];
    let copy = clone(deep);
    while (Array.isArray(copy)) copy = copy[0];
    expect(copy).toBe("end");
  });

  it("GUEST-7 generated values copy as by Node", () => {
    const anything = fc.anything({
      withBigInt: true,
      withBoxedValues: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withTypedArray: true,
      withSparseArray: true,
      withNullPrototype: true,
    });
    fc.assert(
      fc.property(anything, (value) => {
        expect(clone(value)).toStrictEqual(structuredClone(value));
      }),
      { seed: 3, numRuns: 1500 },
    );
  });
});

describe("refusals", () => {
  const refused: [string, () => unknown][] = [
    ["functions", () => ({ a: [() => 1] })],
    ["classes", () => Point],
    ["symbols", () => [Symbol("s")]],
    ["Symbol objects", () => Object(Symbol("s"))],
    ["promises", () => Promise.resolve(1)],
    ["WeakMaps", () => new WeakMap()],
    ["WeakSets", () => new WeakSet()],
    [
      "generators",
      () =>
        (function* () {
          yield 1;
        })(),
    ],
    ["iterators", () => [1].values()],
    [
      "detached buffers",
      () => {
        const lost = new ArrayBuffer(1);
        lost.transfer();
        return lost;
      },
    ],
    ["function keys of a Map", () => new Map([[() => 1, 1]])],
  ];
  it.each(refused)("GUEST-7 structuredClone refuses %s with a DataCloneError", (_name, make) => {
    expect(() => structuredClone(make())).toThrow();
    expect(() => clone(make())).toThrow(
      expect.objectContaining({
        name: "DataCloneError",
        message: expect.stringMatching(/structuredClone cannot copy/),
      }),
    );
  });

  it("GUEST-7 the error of a getter passes through", () => {
    expect(() =>
      clone({
        get a(): never {
          throw new RangeError("mine");
        },
      }),
    ).toThrow("mine");
    expect(() => (clone as () => unknown)()).toThrow(TypeError);
  });
});

describe("transfer", () => {
  it("GUEST-7 a transferred buffer moves, unless the clone fails", () => {
    const source = new Uint8Array([1, 2]);
    expect(() => clone({ source, bad: () => 1 }, { transfer: [source.buffer] })).toThrow();
    expect(source.length).toBe(2);
    expect([...clone(source, { transfer: [source.buffer] })]).toEqual([1, 2]);
    expect([source.length, source.buffer.detached]).toEqual([0, true]);
  });

  it("GUEST-7 only whole ArrayBuffers, each once, can be transferred", () => {
    const one = new ArrayBuffer(1);
    for (const transfer of [[{}], [new Uint8Array(1)], [one, one], [1]]) {
      expect(() => clone(1, { transfer })).toThrow(expect.objectContaining({ name: "DataCloneError" }));
    }
    expect(one.detached).toBe(false);
  });
});
