/** A short name for a wrong value: its type, and the value itself when it is short. */
export function describeFound(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  if (typeof value === "function") return "a function";
  if (typeof value === "string") return value.length > 40 ? "a string" : JSON.stringify(value);
  return String(value);
}
