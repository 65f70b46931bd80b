import { docText } from "./doc-text.ts";
import { isSchemaObject } from "./schema-object.ts";

/** Longest description of a parameter: more is rarely read, and 3,615 tools were measured with it. */
export const maxPropertyDocLength = 160;
const maxDefaultLength = 40;

/** One line about a property: its description, and its default where the description does not tell. Empty when there is nothing to say. */
export function propertyDoc(schema: unknown): string {
  if (!isSchemaObject(schema)) return "";
  const description = docText(schema.description, maxPropertyDocLength);
  return [description, defaultNote(schema.default, description)].filter((text) => text !== "").join(" ");
}

function defaultNote(value: unknown, description: string): string {
  if (value === undefined || value === null || /default/i.test(description)) return "";
  const text = JSON.stringify(value) ?? "";
  return text === "" || text.length > maxDefaultLength ? "" : `(default ${docText(text)})`;
}
