import {
  Bytes,
  charCodeAt,
  defineProperty,
  exec,
  inherits,
  isView,
  RangeErrorOf,
  slice,
  TypeErrorOf,
  toLowerCase,
  typedArraySet,
  typedArraySlice,
} from "./captured.ts";
import { decodeUtf8Bytes, encodeUtf8, encodeUtf8Into } from "./utf8.ts";

/** The web's names of the one encoding there is here. */
const utf8Labels = /^[\t\n\f\r ]*(?:utf-?8|unicode-1-1-utf-8|unicode(?:11|20)utf8|x-unicode20utf8)[\t\n\f\r ]*$/;

/** The guest's `TextEncoder` and `TextDecoder` (GUEST-7): as on the web, for utf-8 only. */
export function createTextCoders(): { TextEncoder: typeof Encoder; TextDecoder: typeof Decoder } {
  name(Encoder, "TextEncoder");
  name(Decoder, "TextDecoder");
  return { TextEncoder: Encoder, TextDecoder: Decoder };
}

class Encoder {
  get encoding(): string {
    return "utf-8";
  }

  encode(input?: unknown): Uint8Array<ArrayBuffer> {
    return encodeUtf8(input === undefined ? "" : `${input as string}`);
  }

  encodeInto(source: unknown, destination: Uint8Array): { read: number; written: number } {
    if (!isObject(destination) || !inherits(Bytes.prototype, destination))
      throw new TypeErrorOf("encodeInto(text, bytes): the second argument must be a Uint8Array");
    return encodeUtf8Into(`${source as string}`, destination);
  }
}

class Decoder {
  readonly #fatal: boolean;
  readonly #ignoreBom: boolean;
  /** Bytes of a sequence that the next streamed part completes. */
  #pending: Uint8Array = new Bytes(0);
  #started = false;

  constructor(label: unknown = "utf-8", options: { fatal?: unknown; ignoreBOM?: unknown } | null = {}) {
    if (exec(utf8Labels, toLowerCase(`${label as string}`)) === null)
      throw new RangeErrorOf(`the encoding "${label as string}" is not supported: only utf-8 is`);
    this.#fatal = Boolean(options?.fatal);
    this.#ignoreBom = Boolean(options?.ignoreBOM);
  }

  get encoding(): string {
    return "utf-8";
  }

  get fatal(): boolean {
    return this.#fatal;
  }

  get ignoreBOM(): boolean {
    return this.#ignoreBom;
  }

  decode(input?: unknown, options: { stream?: unknown } | null = {}): string {
    const stream = Boolean(options?.stream);
    const bytes = joinBytes(this.#pending, bytesOf(input));
    const started = this.#started;
    this.#pending = new Bytes(0);
    this.#started = false;
    const { text, used } = decodeUtf8Bytes(bytes, this.#fatal, stream);
    if (stream) {
      this.#pending = typedArraySlice(bytes, used);
      this.#started = started || text !== "";
    }
    const hasMark = !started && !this.#ignoreBom && text !== "" && charCodeAt(text, 0) === 0xfeff;
    return hasMark ? slice(text, 1) : text;
  }
}

function bytesOf(input: unknown): Uint8Array {
  if (input === undefined) return new Bytes(0);
  if (isView(input)) return new Bytes(input.buffer, input.byteOffset, input.byteLength);
  if (isObject(input) && inherits(ArrayBuffer.prototype, input)) return new Bytes(input as ArrayBuffer);
  throw new TypeErrorOf("decode(bytes): the argument must be an ArrayBuffer, a typed array or a DataView");
}

/** The bytes of both, in order. */
function joinBytes(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.length === 0) return second;
  const joined = new Bytes(first.length + second.length);
  typedArraySet(joined, first);
  typedArraySet(joined, second, first.length);
  return joined;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** The bundler shortens class names; programs see the real one. */
function name(target: { readonly prototype: object }, text: string): void {
  defineProperty(target, "name", { value: text, configurable: true });
  defineProperty(target.prototype, Symbol.toStringTag, { value: text, configurable: true });
}
