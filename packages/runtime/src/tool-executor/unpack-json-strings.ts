import type { CodeModeTool, JsonValue } from "@code-mode/contract";

type Fields = { readonly [name: string]: unknown };

/**
 * Models write arrays and objects as JSON text at times. Where the schema of a property takes an array or an object and
 * no string, such a text can only mean its value. Gives the input with these values, or nothing when there are none.
 */
export function unpackJsonStrings(tool: CodeModeTool, input: JsonValue): JsonValue | undefined {
  const properties = fieldsOf(fieldsOf(tool.parameters).properties);
  const given = fieldsOf(input);
  const unpacked = Object.entries(given).flatMap(([name, value]) => {
    if (typeof value !== "string" || !Object.hasOwn(properties, name)) return [];
    const meant = parseAs(value, typesOf(properties[name]));
    return meant === undefined ? [] : [[name, meant] as const];
  });
  if (unpacked.length === 0) return undefined;
  // by definition, not assignment: a property may be named __proto__
  return Object.fromEntries([...Object.entries(given), ...unpacked]) as JsonValue;
}

/** The types that a property takes, when it takes only arrays and objects. */
function typesOf(schema: unknown): readonly string[] {
  const { type } = fieldsOf(schema);
  const types = (Array.isArray(type) ? type : [type]).filter((name): name is string => typeof name === "string");
  return types.includes("string") ? [] : types.filter((name) => name === "array" || name === "object");
}

function parseAs(text: string, types: readonly string[]): JsonValue | undefined {
  if (types.length === 0 || !/^\s*[[{]/.test(text)) return undefined;
  try {
    const value = JSON.parse(text) as JsonValue;
    return types.includes(Array.isArray(value) ? "array" : "object") ? value : undefined;
  } catch {
    return undefined;
  }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}
