import type { CatalogTool } from "@code-mode/contract";
import { isSchemaObject, type SchemaObject, schemaList, schemaMap } from "../declarations/schema-object.ts";

/** Texts of one tool by search field. */
export type SearchDocument = {
  readonly name: string;
  readonly label: string;
  readonly server: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: string;
};

/** What follows the first thousands of characters of a description are examples and manuals. */
const maxDescriptionLength = 1_500;
const maxSummaryLength = 240;
const maxParameterTextLength = 2_000;
/** Subschemas looked at in one tool. */
const maxSchemas = 120;
const maxEnumValues = 20;

/** The searchable texts of a tool. */
export function searchDocument({ entry, tool }: CatalogTool): SearchDocument {
  return {
    name: entry.name,
    label: entry.label ?? "",
    server: entry.source === "openclaw" || entry.source === "mcp" ? (entry.sourceName ?? "") : "",
    summary: summaryOf(entry.description),
    description: entry.description.slice(0, maxDescriptionLength),
    parameters: parameterText(tool.parameters),
  };
}

/** The first sentence or line says what a tool is for; its words count once more. */
function summaryOf(description: string): string {
  const start = description.slice(0, maxSummaryLength);
  return /^[\s\S]{12,}?[.!?\n](?=\s|$)/.exec(start)?.[0] ?? start;
}

/** Names, descriptions and enum values of the parameters, outermost first. */
function parameterText(schema: unknown): string {
  const texts: string[] = [];
  let length = 0;
  const pending: unknown[] = [schema];
  for (let index = 0; index < pending.length && index < maxSchemas && length < maxParameterTextLength; index++) {
    const next = pending[index];
    if (!isSchemaObject(next)) continue;
    for (const text of ownTexts(next)) {
      texts.push(text);
      length += text.length;
    }
    for (const child of children(next)) if (pending.length < maxSchemas) pending.push(child);
  }
  return texts.join(" ").slice(0, maxParameterTextLength);
}

function* ownTexts(schema: SchemaObject): Generator<string> {
  for (const [name, child] of schemaMap(schema, "properties")) {
    yield name;
    if (isSchemaObject(child) && typeof child.description === "string") yield child.description.slice(0, 300);
  }
  for (const value of schemaList(schema, "enum").slice(0, maxEnumValues)) if (typeof value === "string") yield value;
}

function* children(schema: SchemaObject): Generator<unknown> {
  for (const [, child] of schemaMap(schema, "properties")) yield child;
  yield schema.items;
  for (const keyword of ["anyOf", "oneOf", "allOf"]) yield* schemaList(schema, keyword);
}
