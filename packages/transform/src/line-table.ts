/** A place in a text; lines and columns count from 1, columns in UTF-16 units unless said otherwise. */
export type TextPosition = { readonly line: number; readonly column: number };

const carriageReturn = 13;
const lineFeed = 10;

/** Converts offsets of one text to lines and columns. Building it is O(n), each question O(log n). */
export class LineTable {
  readonly #text: string;
  readonly #starts: number[];
  /** UTF-8 bytes before each UTF-16 unit; absent for ASCII text, where bytes and units are the same. */
  readonly #bytesBefore: Uint32Array | undefined;

  constructor(text: string) {
    this.#text = text;
    this.#starts = lineStarts(text);
    this.#bytesBefore = isAscii(text) ? undefined : countBytes(text);
  }

  /** Offsets at which a line starts, ascending; the first is 0. */
  get starts(): readonly number[] {
    return this.#starts;
  }

  /** True when a column in bytes equals the column in UTF-16 units everywhere. */
  get isAscii(): boolean {
    return this.#bytesBefore === undefined;
  }

  /** UTF-8 bytes of the text before an offset. */
  bytesBefore(offset: number): number {
    return this.#bytesBefore?.[offset] ?? offset;
  }

  /** Line and UTF-16 column of an offset. */
  positionAt(offset: number): TextPosition {
    const index = this.#lineIndexAt(this.#clamp(offset));
    return { line: index + 1, column: this.#clamp(offset) - (this.#starts[index] ?? 0) + 1 };
  }

  /** Line and column in UTF-8 bytes of an offset: how QuickJS counts columns. */
  enginePositionAt(offset: number): TextPosition {
    const at = this.#clamp(offset);
    const index = this.#lineIndexAt(at);
    return { line: index + 1, column: this.bytesBefore(at) - this.bytesBefore(this.#starts[index] ?? 0) + 1 };
  }

  /** Offset of a line and UTF-16 column, clamped to the text. */
  offsetAt(line: number, column: number): number {
    const start = this.#starts[Math.min(line, this.#starts.length) - 1] ?? 0;
    return this.#clamp(start + column - 1);
  }

  #clamp(offset: number): number {
    return Math.max(0, Math.min(offset, this.#text.length));
  }

  #lineIndexAt(offset: number): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** True when every character is one UTF-8 byte. */
export function isAscii(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is the definition of ASCII
  return /^[\x00-\x7f]*$/.test(text);
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === lineFeed || (code === carriageReturn && text.charCodeAt(index + 1) !== lineFeed))
      starts.push(index + 1);
  }
  return starts;
}

function countBytes(text: string): Uint32Array {
  const before = new Uint32Array(text.length + 1);
  for (let index = 0; index < text.length; index++) {
    before[index + 1] = (before[index] ?? 0) + bytesOfUnit(text, index);
  }
  return before;
}

/** The first half of a surrogate pair carries three of its four bytes; a lone half becomes U+FFFD, three bytes. */
function bytesOfUnit(text: string, index: number): number {
  const code = text.charCodeAt(index);
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  const isLow = code >= 0xdc00 && code <= 0xdfff;
  const before = index === 0 ? 0 : text.charCodeAt(index - 1);
  return isLow && before >= 0xd800 && before <= 0xdbff ? 1 : 3;
}
