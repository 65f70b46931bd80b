import type { JsonValue } from "@code-mode/contract";
import { instanceText, isPlainObject, jsonFallback } from "./json-fallback.ts";

const secretName =
  /pass(word|phrase|wd)?$|secret|token|api[-_]?key|private[-_]?key|credential|authorization|cookie|^auth$|^key$/i;
const mask = "***";
const maxDepth = 32;

/** A frozen plain copy of a configuration in which every value under a secret-looking key is `***`. */
export function maskedConfig(config: unknown): JsonValue {
  return copy(config, 0) ?? null;
}

function copy(value: unknown, depth: number): JsonValue | undefined {
  if (value === undefined || typeof value === "function" || depth > maxDepth) return undefined;
  const fallback = jsonFallback(value);
  if (fallback !== undefined) return copy(fallback.replaced, depth + 1);
  if (typeof value !== "object" || value === null) return value as JsonValue;
  if (Array.isArray(value)) return Object.freeze(value.map((item) => copy(item, depth + 1) ?? null));
  if (!isPlainObject(value)) return instanceText(value);
  const entries = Object.entries(value).map(
    ([key, child]) => [key, isSecret(key, child) ? mask : copy(child, depth + 1)] as const,
  );
  return Object.freeze(Object.fromEntries(entries.filter(([, child]) => child !== undefined))) as JsonValue;
}

/** Flags and numbers such as `maxTokens` are settings; texts and whole objects under a secret's name are not shown. */
function isSecret(key: string, value: unknown): boolean {
  return secretName.test(key) && typeof value !== "boolean" && typeof value !== "number";
}
