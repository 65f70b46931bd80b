/** A schema that is an object; its members are still untrusted. */
export type SchemaObject = { readonly [keyword: string]: unknown };

/** True for a schema that is a plain object. */
export function isSchemaObject(schema: unknown): schema is SchemaObject {
  return typeof schema === "object" && schema !== null && !Array.isArray(schema);
}

/** Own entries of a keyword that maps names to schemas, such as `properties`. */
export function schemaMap(schema: SchemaObject, keyword: string): [string, unknown][] {
  const map = schema[keyword];
  return isSchemaObject(map) ? Object.entries(map) : [];
}

/** Members of a keyword that lists schemas, such as `anyOf`. */
export function schemaList(schema: SchemaObject, keyword: string): readonly unknown[] {
  const list = schema[keyword];
  return Array.isArray(list) ? list : [];
}

/** Strings of a keyword that lists names, such as `required`. */
export function nameList(schema: SchemaObject, keyword: string): string[] {
  return schemaList(schema, keyword).filter((name) => typeof name === "string");
}

/** The `$ref` of a schema, dynamic or not. */
export function refOf(schema: SchemaObject): string | undefined {
  const ref = schema.$ref ?? schema.$dynamicRef;
  return typeof ref === "string" ? ref : undefined;
}

/** Direct subschemas that take part in the printed type. */
export function* childSchemas(schema: SchemaObject): Generator<unknown> {
  for (const keyword of ["properties", "patternProperties"])
    for (const [, child] of schemaMap(schema, keyword)) yield child;
  for (const keyword of ["anyOf", "oneOf", "allOf", "prefixItems"]) yield* schemaList(schema, keyword);
  if (Array.isArray(schema.items)) yield* schema.items;
  else yield schema.items;
  yield schema.additionalProperties;
  yield schema.additionalItems;
}
