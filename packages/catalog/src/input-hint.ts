import { literalType, propertyKey } from "./declarations/literal-type.ts";
import { isSchemaObject, nameList, type SchemaObject, schemaList, schemaMap } from "./declarations/schema-object.ts";

/** Longest hint, in characters; a search result or an index line shows it beside the name. */
const maxHintLength = 160;
const maxNameLength = 48;
const maxEnumLength = 48;
const maxEnumValues = 6;
const maxUnion = 3;

/**
 * A one-line hint of a tool's input, such as `{ path: string; limit?: number }`: required properties first, nested
 * objects as `{…}`, the rest as `…` when there is no room. Equal schemas give equal hints; never throws.
 */
export function compactInputHint(schema: unknown): string {
  const root = followRef(schema, schema);
  const properties = isSchemaObject(root) ? schemaMap(root, "properties") : [];
  if (properties.length === 0) return openHint(root);
  const required = new Set(isSchemaObject(root) ? nameList(root, "required") : []);
  const ordered = [
    ...properties.filter(([name]) => required.has(name)),
    ...properties.filter(([name]) => !required.has(name)),
  ];
  const parts: string[] = [];
  let length = 4;
  for (const [name, child] of ordered) {
    const part = `${shortName(name)}${required.has(name) ? "" : "?"}: ${shortType(child, schema)}`;
    length += part.length + 2;
    if (length > maxHintLength) {
      parts.push("…");
      break;
    }
    parts.push(part);
  }
  return `{ ${parts.join("; ")} }`;
}

function openHint(root: unknown): string {
  if (!isSchemaObject(root)) return "{}";
  const open =
    isSchemaObject(root.additionalProperties) ||
    root.additionalProperties === true ||
    root.anyOf !== undefined ||
    root.oneOf !== undefined;
  return open ? "{ … }" : "{}";
}

function shortType(schema: unknown, root: unknown): string {
  const target = followRef(schema, root);
  if (!isSchemaObject(target)) return "unknown";
  if (Object.hasOwn(target, "const")) return shortLiterals([target.const]) ?? typeof target.const;
  if (Array.isArray(target.enum)) return shortLiterals(target.enum) ?? namedType("string", target, root);
  const choice = [...schemaList(target, "anyOf"), ...schemaList(target, "oneOf")];
  if (choice.length > 0) return shortUnion(choice.map((branch) => branchType(branch, root)));
  if (Array.isArray(target.type)) return shortUnion(target.type.map((type) => namedType(type, target, root)));
  return namedType(target.type ?? (target.properties === undefined ? undefined : "object"), target, root);
}

/** Branches are shown by name only: this keeps the work linear however choices nest. */
function branchType(schema: unknown, root: unknown): string {
  const target = followRef(schema, root);
  if (!isSchemaObject(target)) return "unknown";
  if (Object.hasOwn(target, "const")) return shortLiterals([target.const]) ?? "unknown";
  if (Array.isArray(target.enum)) return shortLiterals(target.enum) ?? "string";
  return target.type === "array" ? "unknown[]" : namedType(target.type, target, root);
}

function namedType(type: unknown, schema: SchemaObject, root: unknown): string {
  switch (type) {
    case "string":
    case "boolean":
    case "number":
    case "null":
      return type;
    case "integer":
      return "number";
    case "array":
      return `${itemType(schema.items, root)}[]`;
    case "object":
      return "{…}";
    default:
      return "unknown";
  }
}

function itemType(items: unknown, root: unknown): string {
  const type = branchType(items, root);
  return type.includes(" ") ? `(${type})` : type;
}

function shortUnion(types: readonly string[]): string {
  const known = [...new Set(types)].filter((type) => type !== "unknown");
  if (known.length === 0 || known.length > maxUnion) return "unknown";
  return known.join(" | ");
}

function shortLiterals(values: readonly unknown[]): string | undefined {
  if (
    values.length === 0 ||
    values.length > maxEnumValues ||
    values.some((value) => typeof value === "object" && value !== null)
  )
    return undefined;
  const text = values.map((value) => literalType(value)).join(" | ");
  return text.length > maxEnumLength ? undefined : text;
}

function shortName(name: string): string {
  return propertyKey(name.length > maxNameLength ? `${name.slice(0, maxNameLength)}…` : name);
}

/** Follows one local reference of the usual form; deeper chains are not worth a hint. */
function followRef(schema: unknown, root: unknown): unknown {
  if (!isSchemaObject(schema) || typeof schema.$ref !== "string") return schema;
  const match = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(schema.$ref);
  if (match === null || !isSchemaObject(root)) return undefined;
  const defs = root[match[1] ?? ""];
  const name = (match[2] ?? "").replaceAll("~1", "/").replaceAll("~0", "~");
  return isSchemaObject(defs) && Object.hasOwn(defs, name) ? defs[name] : undefined;
}
