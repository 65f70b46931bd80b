import { connect, type Socket } from "node:net";

/** What came back over a raw connection until its end. */
export type RawReply = { readonly status: number; readonly head: string; readonly body: string };

/** A connection that says what it is told, byte for byte. */
export class RawSocket implements Disposable {
  readonly #socket: Socket;
  readonly #closed = Promise.withResolvers<void>();
  readonly #waiting = new Set<() => void>();
  #text = "";

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.#socket = connect({ host: hostname.replace(/^\[|\]$/g, ""), port: Number(port) });
    this.#socket.setEncoding("latin1").on("data", (text: string) => {
      this.#text += text;
      for (const check of this.#waiting) check();
    });
    // a reset by the other side is an end too
    this.#socket.on("error", () => undefined).on("close", () => this.#closed.resolve());
  }

  send(text: string): this {
    this.#socket.write(text);
    return this;
  }

  /** Everything that came so far. */
  get text(): string {
    return this.#text;
  }

  /** Resolves when this text has come. */
  async has(text: string): Promise<void> {
    const seen = Promise.withResolvers<void>();
    const check = (): void => {
      if (this.#text.includes(text)) seen.resolve();
    };
    this.#waiting.add(check);
    check();
    await Promise.race([
      seen.promise,
      this.#closed.promise.then(() => {
        throw new Error(`closed without ${text}: ${this.#text}`);
      }),
    ]);
  }

  /** Resolves when the other side has ended the connection. */
  async closed(): Promise<string> {
    await this.#closed.promise;
    return this.#text;
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }
}

/** Sends text over a connection of its own and reads until the other side closes it. */
export async function exchange(url: string, text: string): Promise<RawReply> {
  using socket = new RawSocket(url);
  return parseReply(await socket.send(text).closed());
}

/** The first reply in a text. */
export function parseReply(text: string): RawReply {
  const end = text.indexOf("\r\n\r\n");
  const head = end < 0 ? text : text.slice(0, end);
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0),
    head: head.toLowerCase(),
    body: end < 0 ? "" : text.slice(end + 4),
  };
}
