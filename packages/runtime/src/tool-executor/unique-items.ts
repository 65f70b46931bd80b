import type { JsonValue } from "@code-mode/contract";
import type { FuncKeywordDefinition } from "ajv";

/**
 * `uniqueItems` in linear time. The library compares objects pair by pair: a megabyte of `{}` from the guest would
 * hold the main thread for minutes, and no watchdog watches that thread.
 */
export const uniqueItemsKeyword: FuncKeywordDefinition = {
  keyword: "uniqueItems",
  type: "array",
  schemaType: "boolean",
  validate: (wanted: boolean, items: readonly JsonValue[]) => !wanted || areUnique(items),
};

function areUnique(items: readonly JsonValue[]): boolean {
  return new Set(items.map(canonicalText)).size === items.length;
}

/** Equal for values that JSON Schema calls equal: key order does not count. */
function canonicalText(value: JsonValue): string {
  return JSON.stringify(value, (_key, item: unknown) => (isRecord(item) ? sortKeys(item) : item));
}

function sortKeys(record: Record<string, unknown>): unknown {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function isRecord(item: unknown): item is Record<string, unknown> {
  return typeof item === "object" && item !== null && !Array.isArray(item);
}
