import { isSchemaObject, nameList, type SchemaObject } from "./schema-object.ts";

/** The type names of a schema, inferred from its keywords when it states none. */
export function typeNames(schema: SchemaObject): string[] {
  if (Array.isArray(schema.type)) return schema.type.filter((type) => typeof type === "string");
  if (typeof schema.type === "string") return [schema.type];
  if (
    isSchemaObject(schema.properties) ||
    isSchemaObject(schema.patternProperties) ||
    schema.additionalProperties !== undefined
  )
    return ["object"];
  if (schema.items !== undefined || Array.isArray(schema.prefixItems)) return ["array"];
  const choice = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  return nameList(schema, "required").length > 0 && choice === undefined ? ["object"] : [];
}

const shapeKeywords = [
  "type",
  "properties",
  "items",
  "enum",
  "const",
  "$ref",
  "anyOf",
  "oneOf",
  "allOf",
  "additionalProperties",
  "prefixItems",
  "patternProperties",
];

/** True when a schema says something about the form of a value, not only which properties are required. */
export function hasShape(schema: SchemaObject): boolean {
  return shapeKeywords.some((keyword) => Object.hasOwn(schema, keyword));
}
