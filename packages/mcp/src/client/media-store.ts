import { randomBytes } from "node:crypto";
import { mcpLimits } from "./mcp-limits.ts";

/** An image, sound or file that a server sent. */
export type McpMedia = { readonly mimeType: string; readonly data: Uint8Array };

/** Keeps media on the host, addressed by unguessable handles; the oldest go when the store is full. */
export class MediaStore {
  readonly #items = new Map<string, { mimeType: string; base64: string }>();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number = mcpLimits.maxMediaBytes) {
    this.#maxBytes = maxBytes;
  }

  /** Keeps base64 data and returns its handle, or nothing when it is larger than the whole store. */
  put(mimeType: string, base64: string): string | undefined {
    if (base64.length > this.#maxBytes) return undefined;
    for (const [oldest, item] of this.#items) {
      if (this.#bytes + base64.length <= this.#maxBytes) break;
      this.#items.delete(oldest);
      this.#bytes -= item.base64.length;
    }
    const handle = `mcp-media:${randomBytes(16).toString("hex")}`;
    this.#items.set(handle, { mimeType, base64 });
    this.#bytes += base64.length;
    return handle;
  }

  /** The media behind a handle, if it is still there. */
  get(handle: string): McpMedia | undefined {
    const item = this.#items.get(handle);
    return item === undefined ? undefined : { mimeType: item.mimeType, data: Buffer.from(item.base64, "base64") };
  }
}
