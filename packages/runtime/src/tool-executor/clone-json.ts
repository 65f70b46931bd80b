import type { JsonValue } from "@code-mode/contract";

/** A deep copy of plain JSON; a key named `__proto__` stays a plain key. */
export function cloneJson(value: JsonValue): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(cloneJson);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cloneJson(item)]));
}
