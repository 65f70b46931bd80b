/** Keeps the first and the last half of a stream of bytes, however long it is. */
export class OutputWindow {
  readonly #half: number;
  #head: Buffer = Buffer.alloc(0);
  #tail: Buffer = Buffer.alloc(0);
  #total = 0;

  constructor(maxBytes: number) {
    this.#half = Math.floor(maxBytes / 2);
  }

  /** Something was left out. */
  get truncated(): boolean {
    return this.#total > this.#head.length + this.#tail.length;
  }

  push(chunk: Buffer): void {
    this.#total += chunk.length;
    const room = this.#half - this.#head.length;
    if (room > 0) this.#head = Buffer.concat([this.#head, chunk.subarray(0, room)]);
    if (chunk.length <= room) return;
    const rest = chunk.subarray(Math.max(0, room));
    this.#tail = Buffer.concat([this.#tail, rest.subarray(-this.#half)]).subarray(-this.#half);
  }

  /** Whole characters only; a line says how much is missing. */
  text(): string {
    if (!this.truncated) return Buffer.concat([this.#head, this.#tail]).toString("utf8");
    const left = this.#total - this.#head.length - this.#tail.length;
    const head = this.#head.subarray(0, endOfCharacters(this.#head)).toString("utf8");
    const tail = this.#tail.subarray(startOfCharacter(this.#tail)).toString("utf8");
    return `${head}\n[… ${left} bytes left out …]\n${tail}`;
  }
}

/** Length of the bytes without a character that is cut at the end. */
export function endOfCharacters(bytes: Uint8Array): number {
  let last = bytes.length - 1;
  while (last > bytes.length - 4 && last > 0 && isContinuation(bytes[last])) last--;
  const lead = bytes[last] ?? 0;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return last + length > bytes.length ? Math.max(0, last) : bytes.length;
}

function startOfCharacter(bytes: Uint8Array): number {
  let start = 0;
  while (start < 3 && isContinuation(bytes[start])) start++;
  return start;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
