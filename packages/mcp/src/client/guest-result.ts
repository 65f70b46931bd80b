import type { JsonObject, JsonValue } from "@code-mode/contract";
import type { RawResult } from "./mcp-link.ts";
import type { MediaStore } from "./media-store.ts";

/** Where results of tools, resources and prompts hold content items. */
const contentKeys = ["content", "contents", "messages"] as const;
const maxDepth = 4;

/**
 * A server's result as the guest gets it: the native object without top-level `_meta`, and with every image, sound and
 * blob replaced by `{type, mimeType, bytes, placeholder, handle}` (MCP-7). The data stays in `media`.
 */
export function buildGuestResult(raw: RawResult, media: MediaStore): JsonObject {
  const result: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(raw)) {
    if (key !== "_meta" && key !== "resultType") define(result, key, value as JsonValue);
  }
  for (const key of contentKeys) {
    const content = result[key];
    if (content !== undefined) result[key] = withoutMedia(content, media, 0);
  }
  return result;
}

function withoutMedia(value: JsonValue, media: MediaStore, depth: number): JsonValue {
  if (typeof value !== "object" || value === null || depth > maxDepth) return value;
  if (Array.isArray(value)) return value.map((item: JsonValue) => withoutMedia(item, media, depth));
  const item = value as JsonObject;
  const field = item.type === "image" || item.type === "audio" ? "data" : "blob";
  if (typeof item[field] === "string") return placeholder(item, field, media);
  const copy: Record<string, JsonValue> = {};
  for (const [key, inner] of Object.entries(item)) {
    define(copy, key, key === "resource" || key === "content" ? withoutMedia(inner, media, depth + 1) : inner);
  }
  return copy;
}

function placeholder(item: JsonObject, field: "data" | "blob", media: MediaStore): JsonObject {
  const { [field]: data, ...rest } = item;
  const base64 = data as string;
  const mimeType = typeof item.mimeType === "string" ? item.mimeType : "application/octet-stream";
  const bytes = decodedLength(base64);
  const handle = media.put(mimeType, base64);
  const where = handle === undefined ? "too large to keep" : `kept on the host as ${handle}`;
  return {
    ...rest,
    mimeType,
    bytes,
    placeholder: `[${mimeType}, ${bytes} bytes: ${where}]`,
    ...(handle !== undefined && { handle }),
  };
}

function decodedLength(base64: string): number {
  const padding = base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0;
  return Math.max(0, Math.floor((base64.length * 3) / 4) - padding);
}

/** A server may name a key `__proto__`: it stays data. */
function define(target: Record<string, JsonValue>, key: string, value: JsonValue): void {
  Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
}
