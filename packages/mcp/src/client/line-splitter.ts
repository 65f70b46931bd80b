const lineFeed = 10;

/** Options of a `LineSplitter`. */
export type LineSplitterOptions = {
  /** Longest line in bytes. */
  readonly maxBytes: number;
  /** `cut` keeps the beginning of a longer line, `fail` throws a `RangeError` from `push`. */
  readonly overflow: "cut" | "fail";
  onLine(line: string): void;
};

/** Turns chunks of bytes into lines of text; time is linear in the bytes, whatever their chunking. */
export class LineSplitter {
  readonly #options: LineSplitterOptions;
  #parts: Buffer[] = [];
  #bytes = 0;

  constructor(options: LineSplitterOptions) {
    this.#options = options;
  }

  /** Takes the next bytes and hands out every line that they complete. */
  push(chunk: Buffer): void {
    let rest = chunk;
    for (let end = rest.indexOf(lineFeed); end !== -1; end = rest.indexOf(lineFeed)) {
      this.#keep(rest.subarray(0, end));
      this.flush();
      rest = rest.subarray(end + 1);
    }
    this.#keep(rest);
  }

  /** Hands out what came after the last line feed, if anything. */
  flush(): void {
    const line = Buffer.concat(this.#parts).toString("utf8").replace(/\r$/, "");
    this.#parts = [];
    this.#bytes = 0;
    if (line !== "") this.#options.onLine(line);
  }

  #keep(part: Buffer): void {
    const room = this.#options.maxBytes - this.#bytes;
    if (part.length > room && this.#options.overflow === "fail") {
      this.#parts = [];
      throw new RangeError(`a line of more than ${this.#options.maxBytes} bytes`);
    }
    const kept = part.length > room ? part.subarray(0, room) : part;
    if (kept.length === 0) return;
    this.#parts.push(kept);
    this.#bytes += kept.length;
  }
}
