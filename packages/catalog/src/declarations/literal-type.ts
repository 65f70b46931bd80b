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
  if (Array.isArray(value))
    return value.length > maxLiteralItems
      ? "unknown[]"
      : `[${value.map((item) => literalType(item, depth + 1)).join(", ")}]`;
  const entries = Object.entries(value);
  if (entries.length > maxLiteralItems) return "Record<string, unknown>";
  return `{ ${entries.map(([key, item]) => `${propertyKey(key)}: ${literalType(item, depth + 1)}`).join("; ")} }`;
}

/** Characters that end a line, hide or reorder text; JSON leaves them as they are. */
const unseen = /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** A string literal in visible characters on one line. */
function stringLiteral(text: string): string {
  return JSON.stringify(text).replace(
    unseen,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** A property name, quoted unless it is an ASCII identifier. */
export function propertyKey(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : stringLiteral(name);
}
