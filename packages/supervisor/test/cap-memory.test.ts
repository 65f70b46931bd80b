import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { capMemory } from "../src/cap-memory.ts";
import { createEngine } from "../src/thread/engine.ts";

const header = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
const exportsMemory = [0x07, 0x05, 0x01, 0x01, 0x6d, 0x02, 0x00];

/** A module of one memory with this section body, exported as `m`, and a custom section before it. */
function moduleOf(memoryBody: readonly number[]): Uint8Array {
  const custom = [0x00, 0x03, 0x02, 0x68, 0x69];
  return new Uint8Array([...header, ...custom, 0x05, memoryBody.length, ...memoryBody, ...exportsMemory]);
}

function memoryOf(bytes: Uint8Array<ArrayBuffer>): WebAssembly.Memory {
  const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), {});
  return (instance as unknown as { exports: { m: WebAssembly.Memory } }).exports.m;
}

describe("capMemory", () => {
  it("RT-4 the capped engine compiles, runs, and cannot grow past the maximum", async () => {
    const wasm = readFileSync(createRequire(import.meta.url).resolve("quickjs-wasi/quickjs.wasm"));
    const module = await WebAssembly.compile(capMemory(wasm, 64));
    const engine = await createEngine(module, {
      memoryLimitBytes: 64 * 1024 * 1024,
      maxStackBytes: 256 * 1024,
      interrupt: () => false,
      onRejection: () => undefined,
    });
    const left = 64 - engine.memory.buffer.byteLength / 65_536;
    expect(left).toBeGreaterThan(0);
    expect(() => engine.memory.grow(left + 1)).toThrow(RangeError);
    engine.memory.grow(left);
    expect(() => engine.memory.grow(1)).toThrow(RangeError);
    expect(engine.memory.buffer.byteLength).toBe(64 * 65_536);
  });

  it("RT-4 whatever the maximum, the module stays valid and grows exactly to it", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), (pages) => {
        const memory = memoryOf(capMemory(moduleOf([1, 0, 1]), pages));
        expect(() => memory.grow(pages)).toThrow(RangeError);
        expect(memory.grow(pages - 1)).toBe(1);
      }),
      { seed: 5, numRuns: 60 },
    );
  });

  it.each([127, 128, 16_383, 16_384, 65_536])(
    "a maximum of %i pages is encoded in as many bytes as it needs",
    (pages) => {
      const memory = memoryOf(capMemory(moduleOf([1, 0, 2]), pages));
      expect(() => memory.grow(pages - 1)).toThrow(RangeError);
      expect(memory.buffer.byteLength).toBe(2 * 65_536);
    },
  );

  it("a maximum below what the module needs at least becomes that minimum", () => {
    const memory = memoryOf(capMemory(moduleOf([1, 0, 3]), 1));
    expect(memory.buffer.byteLength).toBe(3 * 65_536);
    expect(() => memory.grow(1)).toThrow(RangeError);
  });

  it("a module without memory, with a maximum of its own or with two memories is not the known engine", () => {
    expect(() => capMemory(new Uint8Array(header), 10)).toThrow(/no memory section/);
    expect(() => capMemory(moduleOf([1, 1, 1, 9]), 10)).toThrow(/unexpected memory section/);
    expect(() => capMemory(moduleOf([2, 0, 1, 0, 1]), 10)).toThrow(/unexpected memory section/);
  });
});
