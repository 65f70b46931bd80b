import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";

/** Unit of comparison; the engine's own pages have this size. */
const pageBytes = 4096;
const pageWords = pageBytes / 4;
const wasmPageBytes = 65_536;

/** First word of a blob: format and version. */
const magic = 0x31_44_4d_43;
const headerBytes = 16;

/** Pages per compressed frame: packing stops within 1 MiB of the size limit. */
const pagesPerFrame = 256;

/** The usual image comes out in one piece; with the library's 16 KiB it takes twice as long. */
const decompressedChunk = 256 * 1024;

const zstdOptions = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** Result of `packPages`: the blob, or how large it would at least have become. */
export type PackResult = { readonly bytes: Uint8Array } | { readonly tooLarge: number };

/** What `packPages` needs of the VM. */
export type PackOptions = {
  readonly memory: WebAssembly.Memory;
  readonly template: Uint8Array;
  readonly stackPointer: number;
  readonly maxBytes: number;
};

/**
 * A VM image as the pages that differ from the template, XORed with it and compressed: a one-tool cell takes 6–8 KB
 * instead of 1.5 MB. The dead part of the stack, below the stack pointer, is left out.
 */
export function packPages({ memory, template, stackPointer, maxBytes }: PackOptions): PackResult {
  const image = new Uint8Array(memory.buffer);
  const firstPage = Math.floor(stackPointer / pageBytes);
  image.fill(0, firstPage * pageBytes, stackPointer & ~3);
  const dirty = dirtyPages(image, template, firstPage);
  const pagesStart = headerBytes + dirty.length * 4;
  const raw = scratchOf(pagesStart + Math.min(dirty.length, pagesPerFrame) * pageBytes);
  const header = raw.subarray(0, pagesStart);
  header.writeUInt32LE(magic, 0);
  header.writeUInt32LE(image.length, 4);
  header.writeUInt32LE(stackPointer, 8);
  header.writeUInt32LE(dirty.length, 12);
  for (const [index, page] of dirty.entries()) header.writeUInt32LE(page, headerBytes + index * 4);
  const chunks: Uint8Array[] = [];
  let total = 0;
  const add = (bytes: Uint8Array): boolean => {
    const frame = zstdCompressSync(bytes, zstdOptions);
    const length = Buffer.alloc(4);
    length.writeUInt32LE(frame.length);
    chunks.push(length, frame);
    total += 4 + frame.length;
    return total <= maxBytes;
  };
  if (dirty.length <= pagesPerFrame) {
    // Small cells, the usual case: header and pages share one frame.
    xorPages(image, template, { pages: dirty, out: raw.subarray(pagesStart) });
    if (!add(raw)) return { tooLarge: total };
    return { bytes: concat(chunks, total) };
  }
  if (!add(header)) return { tooLarge: total };
  for (let start = 0; start < dirty.length; start += pagesPerFrame) {
    const pages = dirty.slice(start, start + pagesPerFrame);
    const out = raw.subarray(pagesStart, pagesStart + pages.length * pageBytes);
    xorPages(image, template, { pages, out });
    if (!add(out)) return { tooLarge: total };
  }
  return { bytes: concat(chunks, total) };
}

/** Restores an image packed by `packPages` with the same template; returns its stack pointer. */
export function unpackPages(blob: Uint8Array, memory: WebAssembly.Memory, template: Uint8Array): number {
  const raw = decompress(blob);
  if (raw.length < headerBytes || raw.readUInt32LE(0) !== magic)
    throw new Error("the snapshot is damaged or of another version");
  const imageBytes = raw.readUInt32LE(4);
  const stackPointer = raw.readUInt32LE(8);
  const count = raw.readUInt32LE(12);
  const pagesStart = headerBytes + count * 4;
  if (raw.length !== pagesStart + count * pageBytes) throw new Error("the snapshot is damaged: its length is wrong");
  if (imageBytes > memory.buffer.byteLength) memory.grow((imageBytes - memory.buffer.byteLength) / wasmPageBytes);
  const image = new Uint8Array(memory.buffer);
  resetImage(image, template);
  const words = new Uint32Array(memory.buffer);
  const pages = aligned(raw.subarray(pagesStart));
  for (let index = 0; index < count; index++) {
    const at = raw.readUInt32LE(headerBytes + index * 4) * pageWords;
    if ((at + pageWords) * 4 > imageBytes) throw new Error("the snapshot is damaged: a page lies outside the image");
    for (let word = 0; word < pageWords; word++)
      words[at + word] = (words[at + word] as number) ^ (pages[index * pageWords + word] as number);
  }
  return stackPointer;
}

/**
 * Copies the template over live memory; what grew beyond it is cleared.
 * @param from bytes below it stay as they are: two thirds of an image are stack that nothing reads before it is written
 */
export function resetImage(image: Uint8Array, template: Uint8Array, from = 0): void {
  image.set(from === 0 ? template : template.subarray(from), from);
  if (image.length > template.length) image.fill(0, template.length);
}

function dirtyPages(image: Uint8Array, template: Uint8Array, firstPage: number): number[] {
  const a = Buffer.from(image.buffer, image.byteOffset, image.length);
  const b = Buffer.from(template.buffer, template.byteOffset, template.length);
  const zeros = Buffer.alloc(pageBytes);
  const dirty: number[] = [];
  for (let start = firstPage * pageBytes; start < image.length; start += pageBytes) {
    const end = start + pageBytes;
    const differs =
      start < template.length ? a.compare(b, start, end, start, end) : a.compare(zeros, 0, pageBytes, start, end);
    if (differs !== 0) dirty.push(start / pageBytes);
  }
  return dirty;
}

/** Room that every packing of this thread reuses: a fresh buffer for each would be 100 KB of garbage per parked cell. */
const scratch = { buffer: Buffer.alloc(0) };

function scratchOf(bytes: number): Buffer {
  if (scratch.buffer.length < bytes) scratch.buffer = Buffer.allocUnsafeSlow(bytes);
  return scratch.buffer.subarray(0, bytes);
}

function xorPages(
  image: Uint8Array,
  template: Uint8Array,
  { pages, out: bytes }: { readonly pages: readonly number[]; readonly out: Uint8Array },
): void {
  const live = new Uint32Array(image.buffer);
  const base = new Uint32Array(template.buffer, template.byteOffset, template.length / 4);
  // the header before it is a multiple of four bytes
  const out = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  pages.forEach((page, index) => {
    const from = page * pageWords;
    const to = index * pageWords;
    if (from >= base.length) out.set(live.subarray(from, from + pageWords), to);
    else
      for (let word = 0; word < pageWords; word++)
        out[to + word] = (live[from + word] as number) ^ (base[from + word] as number);
  });
}

function decompress(blob: Uint8Array): Buffer {
  const view = Buffer.from(blob.buffer, blob.byteOffset, blob.length);
  const parts: Buffer[] = [];
  let offset = 0;
  while (offset + 4 <= view.length) {
    const length = view.readUInt32LE(offset);
    if (offset + 4 + length > view.length) throw new Error("the snapshot is damaged: it is cut off");
    parts.push(zstdDecompressSync(view.subarray(offset + 4, offset + 4 + length), { chunkSize: decompressedChunk }));
    offset += 4 + length;
  }
  return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
}

function aligned(bytes: Buffer): Uint32Array {
  const copy = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes);
  return new Uint32Array(copy.buffer, copy.byteOffset, copy.byteLength / 4);
}

function concat(chunks: readonly Uint8Array[], total: number): Uint8Array {
  const bytes = new Uint8Array(total);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}
