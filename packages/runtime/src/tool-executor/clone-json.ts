import type { JsonObject, JsonValue } from "@code-mode/contract";

/** A deep copy of plain JSON; a key named `__proto__` stays a plain key. */
export function cloneJson(value: JsonValue): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(cloneJson);
  const copy: { [key: string]: JsonValue } = {};
  for (const key of Object.keys(value)) {
    const item = cloneJson((value as JsonObject)[key] as JsonValue);
    if (key === "__proto__")
      Object.defineProperty(copy, key, { value: item, writable: true, enumerable: true, configurable: true });
    else copy[key] = item;
  }
  return copy;
}
