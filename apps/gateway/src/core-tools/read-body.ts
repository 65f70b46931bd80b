import type { IncomingMessage } from "node:http";
import { pipeline, type Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";

/** A body, or as much of it as is kept. */
export type Body = { readonly bytes: Buffer; readonly truncated: boolean };

/** Reads and unpacks a body; the cap counts unpacked bytes, so that a small file cannot become a large one. */
export async function readBody(response: IncomingMessage, maxBytes: number): Promise<Body> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of unpacked(response) as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    // leaving the loop ends the connection
    if (length > maxBytes) break;
  }
  return { bytes: Buffer.concat(chunks).subarray(0, maxBytes), truncated: length > maxBytes };
}

function unpacked(response: IncomingMessage): Readable {
  const decoder = decoderFor(response.headers["content-encoding"]);
  if (decoder === undefined) return response;
  // what goes wrong is thrown where the decoder is read
  return pipeline(response, decoder, () => undefined);
}

function decoderFor(encoding = "identity") {
  switch (encoding.trim().toLowerCase()) {
    case "gzip":
    case "x-gzip":
      return createGunzip();
    case "br":
      return createBrotliDecompress();
    case "deflate":
      return createInflate();
    default:
      return undefined;
  }
}
