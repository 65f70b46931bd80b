import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { packPages, resetImage, unpackPages } from "../src/thread/page-delta.ts";

const wasmPage = 65_536;
const pageBytes = 4096;
const pagesPerWasmPage = wasmPage / pageBytes;

/** Four WASM pages whose content depends on the position. */
const template = Uint8Array.from({ length: 4 * wasmPage }, (_, index) => (index * 31) >> 3);

type Write = { readonly page: number; readonly offset: number; readonly byte: number };

/** A memory that started as the template, grew by `grown` WASM pages and was written to. */
function imageWith(writes: readonly Write[], grown = 0): WebAssembly.Memory {
  const memory = new WebAssembly.Memory({ initial: template.length / wasmPage + grown });
  const bytes = new Uint8Array(memory.buffer);
  bytes.set(template);
  for (const { page, offset, byte } of writes) bytes[page * pageBytes + offset] = byte;
  return memory;
}

function pack(memory: WebAssembly.Memory, stackPointer = 0, maxBytes = Number.MAX_SAFE_INTEGER): Uint8Array {
  const result = packPages({ memory, template, stackPointer, maxBytes });
  if ("tooLarge" in result) throw new Error(`too large: ${result.tooLarge}`);
  return result.bytes;
}

/** A memory in which another cell has run. */
function usedMemory(pages: number): WebAssembly.Memory {
  const memory = new WebAssembly.Memory({ initial: pages, maximum: 64 });
  new Uint8Array(memory.buffer).fill(0xa5);
  return memory;
}

/** A blob of one frame with any header: image bytes, stack pointer, page numbers. */
function forge(header: { imageBytes?: number; pages?: readonly number[]; magic?: number; count?: number }): Uint8Array {
  const pages = header.pages ?? [0];
  const raw = Buffer.alloc(16 + pages.length * 4 + pages.length * pageBytes);
  raw.writeUInt32LE(header.magic ?? 0x31_44_4d_43, 0);
  raw.writeUInt32LE(header.imageBytes ?? template.length, 4);
  raw.writeUInt32LE(header.count ?? pages.length, 12);
  for (const [index, page] of pages.entries()) raw.writeUInt32LE(page, 16 + index * 4);
  const frame = zstdCompressSync(raw);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(frame.length);
  return Buffer.concat([length, frame]);
}

const restored = (blob: Uint8Array, pages = 4) => unpackPages(blob, usedMemory(pages), template);

describe("page delta", () => {
  it("WAIT-2 any written pages come back exactly, also in memory that grew and on a used instance", () => {
    const write = (pages: number) =>
      fc.record({ page: fc.nat(pages - 1), offset: fc.nat(pageBytes - 1), byte: fc.nat(255) });
    const image = fc.nat(3).chain((grown) =>
      fc.record({
        grown: fc.constant(grown),
        writes: fc.array(write((4 + grown) * pagesPerWasmPage), { maxLength: 40 }),
        stackPointer: fc.nat(3 * pageBytes),
        used: fc.integer({ min: 4, max: 8 }),
      }),
    );
    fc.assert(
      fc.property(image, ({ grown, writes, stackPointer, used }) => {
        const memory = imageWith(writes, grown);
        const expected = new Uint8Array(memory.buffer).slice();
        // The dead stack below the pointer is not kept: what stands there afterwards is the template's.
        const liveFrom = Math.floor(stackPointer / pageBytes) * pageBytes;
        expected.set(template.subarray(0, liveFrom));
        expected.fill(0, liveFrom, stackPointer & ~3);
        const target = usedMemory(used);
        expect(unpackPages(pack(memory, stackPointer), target, template)).toBe(stackPointer);
        const result = new Uint8Array(target.buffer);
        expect(result.length).toBeGreaterThanOrEqual(expected.length);
        expect(Buffer.compare(result.subarray(0, expected.length), expected)).toBe(0);
        expect(result.subarray(expected.length).every((byte) => byte === 0)).toBe(true);
      }),
      { seed: 11, numRuns: 60 },
    );
  });

  it.each([255, 256, 257])("WAIT-2 %i written pages, around the size of one frame, come back exactly", (count) => {
    const writes = Array.from({ length: count }, (_, page) => ({ page, offset: page, byte: (page % 251) + 1 }));
    const memory = imageWith(writes, 13);
    const expected = new Uint8Array(memory.buffer).slice();
    const target = usedMemory(17);
    unpackPages(pack(memory), target, template);
    expect(Buffer.compare(new Uint8Array(target.buffer), expected)).toBe(0);
  });

  it("LIFE-5 a blob of exactly the limit is packed, one byte less is refused with the size it would have", () => {
    const writes = [5, 6, 7].map((page) => ({ page, offset: 1, byte: 200 }));
    const { length } = pack(imageWith(writes));
    expect(pack(imageWith(writes), 0, length).length).toBe(length);
    expect(packPages({ memory: imageWith(writes), template, stackPointer: 0, maxBytes: length - 1 })).toEqual({
      tooLarge: length,
    });
  });

  it("LIFE-5 packing stops within one frame of the limit, however much is left", () => {
    const memory = new WebAssembly.Memory({ initial: 64 });
    const bytes = new Uint8Array(memory.buffer);
    // Noise does not compress: 4 MiB of it would take 4 MiB.
    let state = 9;
    for (let index = 0; index < bytes.length; index++) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      bytes[index] = state >>> 24;
    }
    const result = packPages({ memory, template, stackPointer: 0, maxBytes: 1024 });
    if (!("tooLarge" in result)) throw new Error("it was packed");
    expect(result.tooLarge).toBeLessThan(1.2 * 1024 * 1024);
  });

  it.each([0, pageBytes, 3 * pageBytes])(
    "RT-6 a reset from byte %i restores the template and clears what grew",
    (from) => {
      const image = new Uint8Array(usedMemory(6).buffer);
      resetImage(image, template, from);
      expect(Buffer.compare(image.subarray(from, template.length), template.subarray(from))).toBe(0);
      expect(image.subarray(template.length).every((byte) => byte === 0)).toBe(true);
    },
  );
});

describe("damaged blobs", () => {
  const whole = pack(imageWith([{ page: 3, offset: 9, byte: 77 }]));

  it("WAIT-3 a blob that is cut anywhere is refused", () => {
    fc.assert(
      fc.property(fc.nat(whole.length - 1), (end) => {
        expect(() => restored(whole.subarray(0, end))).toThrow();
      }),
      { seed: 13, numRuns: 100 },
    );
  });

  it("WAIT-3 a blob of several frames is refused when whole frames are missing", () => {
    const writes = Array.from({ length: 257 }, (_, page) => ({ page, offset: 0, byte: (page % 251) + 1 }));
    const blob = pack(imageWith(writes, 13));
    const first = 4 + Buffer.from(blob).readUInt32LE(0);
    const second = first + 4 + Buffer.from(blob).readUInt32LE(first);
    expect(() => restored(blob.subarray(0, first), 17)).toThrow(/length is wrong/);
    expect(() => restored(blob.subarray(0, second), 17)).toThrow(/length is wrong/);
    expect(() => restored(blob.subarray(first), 17)).toThrow(/damaged/);
  });

  it("WAIT-3 a blob whose format word differs in any bit is refused", () => {
    const raw = zstdDecompressSync(whole.subarray(4));
    for (let bit = 0; bit < 32; bit++) {
      const flipped = Buffer.from(raw);
      flipped.writeUInt32LE((flipped.readUInt32LE(0) ^ (1 << bit)) >>> 0, 0);
      const frame = zstdCompressSync(flipped);
      const length = Buffer.alloc(4);
      length.writeUInt32LE(frame.length);
      expect(() => restored(Buffer.concat([length, frame])), `bit ${bit}`).toThrow(/damaged or of another version/);
    }
  });

  it("WAIT-3 page numbers outside the image and counts that do not fit the bytes are refused", () => {
    const last = template.length / pageBytes - 1;
    expect(() => restored(forge({ pages: [last] }))).not.toThrow();
    for (const page of [last + 1, 0xffff, 0x3fff_ffff, 0xffff_ffff])
      expect(() => restored(forge({ pages: [page] })), `page ${page}`).toThrow(/outside/);
    expect(() => restored(forge({ count: 2 }))).toThrow(/length is wrong/);
    expect(() => restored(forge({ count: 0 }))).toThrow(/length is wrong/);
    expect(() => restored(forge({ imageBytes: 0xffff_0000 }))).toThrow();
    expect(() => restored(new Uint8Array())).toThrow(/damaged/);
  });
});
