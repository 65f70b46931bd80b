import type { OutputUse } from "@code-mode/bridge";
import type { CodeModeOutput } from "@code-mode/contract";

/** Room for output of one turn; what does not fit is only counted when its thread must be ended. */
const capacityBytes = 512 * 1024;

/** Turn, bytes of text, used bytes; the omitted bytes may need more than 32 bits. */
const headerBytes = 24;

/** Output that a thread has not sent yet, in memory that outlives the thread. */
export type UnsentOutput = { readonly items: CodeModeOutput[]; readonly use: OutputUse };

/**
 * Where a thread notes output as it comes: the turn's message carries it, unless the watchdog has to end the thread in a
 * native loop before there is one (OUT-1). One line of JSON per item.
 */
export class OutputNotes {
  readonly buffer: SharedArrayBuffer;
  readonly #head: Int32Array<SharedArrayBuffer>;
  readonly #omitted: Float64Array<SharedArrayBuffer>;
  readonly #text: Buffer;

  constructor(buffer = new SharedArrayBuffer(headerBytes + capacityBytes)) {
    this.buffer = buffer;
    this.#head = new Int32Array(buffer, 0, 4);
    this.#omitted = new Float64Array(buffer, 16, 1);
    this.#text = Buffer.from(buffer, headerBytes);
  }

  /** Thread: a turn begins, everything before was sent. */
  begin(turn: number, use: OutputUse): void {
    this.#head[1] = 0;
    this.#note(use);
    Atomics.store(this.#head, 0, turn);
  }

  /** Thread: one more item, as JSON text of `bytes` bytes. */
  add(json: string, bytes: number, use: OutputUse): void {
    const at = this.#head[1] as number;
    if (at + bytes + 1 > this.#text.length) {
      this.#omitted[0] = (this.#omitted[0] as number) + bytes;
      return;
    }
    this.#text.write(json, at);
    this.#text[at + bytes] = 0x0a;
    this.#note(use);
    // Last: a reader sees whole lines only, wherever the thread was ended.
    Atomics.store(this.#head, 1, at + bytes + 1);
  }

  /** Thread: output that was dropped is counted all the same. */
  #note({ usedBytes, omittedBytes }: OutputUse): void {
    this.#head[2] = usedBytes;
    this.#omitted[0] = omittedBytes;
  }

  /** Host: what the turn had written; nothing when the thread never began it. */
  read(turn: number): UnsentOutput | undefined {
    if (Atomics.load(this.#head, 0) !== turn) return undefined;
    const text = this.#text.toString("utf8", 0, Atomics.load(this.#head, 1));
    const lines = text.split("\n").slice(0, -1);
    return {
      items: lines.map((line) => JSON.parse(line) as CodeModeOutput),
      use: { usedBytes: this.#head[2] as number, omittedBytes: this.#omitted[0] as number },
    };
  }
}
