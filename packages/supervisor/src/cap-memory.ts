const memorySectionId = 5;

/**
 * The WASM bytes with a hard maximum in the memory section: QuickJS's own limit is overshot by reallocations (a 64 MB
 * limit was seen to grow to 160 MB), the maximum is not.
 * @param maxPages in 64 KiB pages
 */
export function capMemory(wasm: Uint8Array, maxPages: number): Uint8Array<ArrayBuffer> {
  let offset = 8;
  while (offset < wasm.length) {
    const start = offset;
    const id = wasm[offset++];
    const [length, body] = readLeb(wasm, offset);
    if (id === memorySectionId) return replaceSection(wasm, { start, body, end: body + length, maxPages });
    offset = body + length;
  }
  throw new Error("quickjs.wasm has no memory section");
}

type Section = { readonly start: number; readonly body: number; readonly end: number; readonly maxPages: number };

function replaceSection(wasm: Uint8Array, { start, body, end, maxPages }: Section): Uint8Array<ArrayBuffer> {
  const [count, afterCount] = readLeb(wasm, body);
  const flags = wasm[afterCount];
  const [minPages] = readLeb(wasm, afterCount + 1);
  if (count !== 1 || flags !== 0) throw new Error("quickjs.wasm has an unexpected memory section");
  const section = [...leb(1), 1, ...leb(minPages), ...leb(Math.max(minPages, maxPages))];
  const head = [memorySectionId, ...leb(section.length), ...section];
  const capped = new Uint8Array(start + head.length + wasm.length - end);
  capped.set(wasm.subarray(0, start));
  capped.set(head, start);
  capped.set(wasm.subarray(end), start + head.length);
  return capped;
}

function readLeb(bytes: Uint8Array, offset: number): [value: number, next: number] {
  let value = 0;
  let shift = 0;
  let next = offset;
  for (;;) {
    const byte = bytes[next++] ?? 0;
    value |= (byte & 0x7f) << shift;
    shift += 7;
    if ((byte & 0x80) === 0) return [value >>> 0, next];
  }
}

function leb(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = rest & 0x7f;
    rest >>>= 7;
    bytes.push(rest === 0 ? low : low | 0x80);
  } while (rest !== 0);
  return bytes;
}
