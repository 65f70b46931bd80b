const newline = 10;

/** What part of a file to keep: lines counted from 1, and a cap in bytes. */
export type LineWindowOptions = { readonly offset: number; readonly limit: number; readonly maxBytes: number };

/** Collects the lines of a window from byte chunks, however large the file is. */
export class LineWindow {
  readonly #options: LineWindowOptions;
  readonly #kept: Buffer[] = [];
  #line = 1;
  #bytes = 0;
  #full = false;
  #overflow = false;

  constructor(options: LineWindowOptions) {
    this.#options = options;
  }

  /** No further chunk can change the window. */
  get full(): boolean {
    return this.#full;
  }

  /** The file goes on after the window. */
  get truncated(): boolean {
    return this.#full;
  }

  /** Lines in the window; a line cut by the byte cap counts when it is the only one. */
  get lines(): number {
    const text = this.#text();
    return text === "" ? 0 : text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
  }

  push(chunk: Buffer): void {
    let start = 0;
    while (start < chunk.length && !this.#full) {
      if (this.#line >= this.#options.offset + this.#options.limit) {
        this.#full = true;
        return;
      }
      const at = chunk.indexOf(newline, start);
      const end = at === -1 ? chunk.length : at + 1;
      if (this.#line >= this.#options.offset) this.#keep(chunk.subarray(start, end));
      if (at !== -1) this.#line++;
      start = end;
    }
  }

  text(): string {
    return this.#text();
  }

  #keep(piece: Buffer): void {
    const room = this.#options.maxBytes - this.#bytes;
    this.#kept.push(Buffer.from(piece.subarray(0, room)));
    this.#bytes += Math.min(room, piece.length);
    if (piece.length <= room) return;
    this.#full = true;
    this.#overflow = true;
  }

  /** Ends at a whole line where there is one, else at a whole character. */
  #text(): string {
    const bytes = Buffer.concat(this.#kept);
    if (!this.#overflow) return bytes.toString("utf8");
    const lastLine = bytes.lastIndexOf(newline);
    if (lastLine !== -1) return bytes.toString("utf8", 0, lastLine + 1);
    let end = bytes.length;
    while (end > 0 && ((bytes[end - 1] as number) & 0xc0) === 0x80) end--;
    return bytes.toString("utf8", 0, Math.max(0, end - 1));
  }
}
