import type { SchemaObject } from "./schema-object.ts";
import { printType, type TypeText } from "./type-text.ts";

/** Objects that fit are printed on one line. */
const maxInlineLength = 100;

/** The type of an object without named properties. */
export function emptyObject(schema: SchemaObject, index: TypeText | undefined): string {
  if (index !== undefined) return `Record<string, ${printType(index)}>`;
  return schema.additionalProperties === false ? "{}" : "Record<string, unknown>";
}

/** Property lines as one object type, on one line where they fit and none has a comment. */
export function joinObject(lines: readonly string[], indent: string): string {
  const inline = `{ ${lines.join("; ")} }`;
  if (inline.length <= maxInlineLength && !inline.includes("\n")) return inline;
  return `{\n${lines.map((line) => `${indent}  ${line};\n`).join("")}${indent}}`;
}
