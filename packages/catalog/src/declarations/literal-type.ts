/** Values nested deeper than this are shown as `unknown`. */
const maxLiteralDepth = 8;
/** Lists and objects longer than this are shown as `unknown`. */
const maxLiteralItems = 40;

/** The TypeScript literal type of a JSON value. */
export function literalType(value: unknown, depth = 0): string {
  if (typeof value === "string") return stringLiteral(value);
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : "number";
  if (typeof value !== "object" || depth >= maxLiteralDepth) return "unknown";
  if (Array.isArray(value)) return value.length > maxLiteralItems ? "unknown[]" : `[${value.map((item) => literalType(item, depth + 1)).join(", ")}]`;
  const entries = Object.entries(value);
  if (entries.length > maxLiteralItems) return "Record<string, unknown>";
  return `{ ${entries.map(([key, item]) => `${propertyKey(key)}: ${literalType(item, depth + 1)}`).join("; ")} }`;
}

/** A string literal that no line terminator can end. */
export function stringLiteral(text: string): string {
  return JSON.stringify(text).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}

/** A property name, quoted unless it is an ASCII identifier. */
export function propertyKey(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : stringLiteral(name);
}
