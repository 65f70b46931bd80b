import { Writable } from "node:stream";

/**
 * Takes `process.stdout` over for the protocol: what anything else in this process prints there goes to stderr, because one
 * stray line would break the client. Disposing gives it back.
 */
export class ProtocolStdout extends Writable implements Disposable {
  readonly #original = process.stdout.write;
  readonly #onError = (error: Error): void => void this.destroy(error);

  constructor() {
    super({ decodeStrings: false });
    process.stdout.write = process.stderr.write.bind(process.stderr) as typeof process.stdout.write;
    process.stdout.on("error", this.#onError);
  }

  override _write(chunk: string | Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#original.call(process.stdout, chunk as string, "utf8", done);
  }

  [Symbol.dispose](): void {
    process.stdout.write = this.#original;
    process.stdout.off("error", this.#onError);
  }
}
