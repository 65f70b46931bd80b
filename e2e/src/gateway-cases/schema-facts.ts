import type { JsonObject, JsonValue } from "@code-mode/contract";
import { asList, isJsonObject } from "@code-mode/testkit";

/** What a picky provider looks at in schemas. */
export type SchemaFacts = {
  /** Every keyword that is used; a list of types counts as `type as array`. */
  readonly keywords: readonly string[];
  readonly allRequired: boolean;
  readonly hasNullable: boolean;
  /** False when every object says `additionalProperties: false`. */
  readonly isOpen: boolean;
};

/** Looks at schemas as a whole. */
export function schemaFacts(schemas: readonly JsonObject[]): SchemaFacts {
  const nodes = schemas.flatMap(nodesOf);
  const objects = nodes.filter(({ properties }) => properties !== undefined);
  const keywords = nodes.flatMap((node) =>
    Object.entries(node).map(([key, value]) => (key === "type" && Array.isArray(value) ? "type as array" : key)),
  );
  const isComplete = ({ properties, required }: JsonObject): boolean =>
    Object.keys(isJsonObject(properties) ? properties : {}).every((name) => asList(required).includes(name));
  return {
    keywords: [...new Set(keywords)],
    allRequired: objects.length > 0 && objects.every(isComplete),
    hasNullable: nodes.some(({ type }) => Array.isArray(type) && type.includes("null")),
    isOpen: !objects.every(({ additionalProperties }) => additionalProperties === false),
  };
}

/** The schema and all schemas inside it; names of properties are no keywords. */
function nodesOf(schema: JsonValue | undefined): readonly JsonObject[] {
  if (!isJsonObject(schema)) return [];
  const inner = ["items", "additionalProperties", "not"].map((key) => schema[key]);
  const lists = ["anyOf", "oneOf", "allOf"].flatMap((key) => asList(schema[key]));
  const named = ["properties", "$defs"].flatMap((key) => Object.values(isJsonObject(schema[key]) ? schema[key] : {}));
  return [schema, ...[...inner, ...lists, ...named].flatMap(nodesOf)];
}
