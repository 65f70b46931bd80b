import type { JsonObject, JsonValue } from "@code-mode/contract";

/** True for a JSON object, which arrays and null are not. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The elements of a JSON array; a single value counts as an array of one, a missing one as none. */
export function asList(value: JsonValue | undefined): readonly JsonValue[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [value];
}
