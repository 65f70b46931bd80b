import { isDeepStrictEqual } from "node:util";
import type { JsonValue } from "@code-mode/contract";
import { isJsonObject } from "../json-guards.ts";

/** Equal as JSON: key order and -0 do not count. */
export function jsonEqual(left: unknown, right: unknown): boolean {
  return isDeepStrictEqual(throughJson(left), throughJson(right));
}

/** True if `value` holds everything `part` does; arrays compare whole. */
export function jsonContains(value: JsonValue | undefined, part: JsonValue): boolean {
  if (!isJsonObject(part)) return jsonEqual(value, part);
  if (!isJsonObject(value)) return false;
  return Object.entries(part).every(([key, wanted]) => jsonContains(value[key], wanted));
}

function throughJson(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
