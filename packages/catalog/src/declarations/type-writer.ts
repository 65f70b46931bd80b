import { AliasNames } from "./alias-names.ts";
import { enumType } from "./enum-type.ts";
import { literalType, propertyKey } from "./literal-type.ts";
import { emptyObject, joinObject } from "./object-text.ts";
import { nestedDoc } from "./property-doc.ts";
import { isSchemaObject, nameList, refOf, type SchemaObject, schemaList, schemaMap } from "./schema-object.ts";
import { SchemaRefs } from "./schema-refs.ts";
import { hasShape, typeNames } from "./schema-shape.ts";
import {
  atom,
  intersectionOf,
  isUnknown,
  printTight,
  printType,
  type TypeText,
  unionOf,
  unknownType,
} from "./type-text.ts";

/** A named type beside the printed one: the target of a recursive or repeated reference. */
export type TypeAlias = { readonly name: string; readonly text: string };

/** How a schema is printed. */
export type TypeWriterOptions = {
  /** Name of the root when it refers to itself. Default `Input`. */
  readonly rootName?: string;
  /** Put before every alias name. */
  readonly aliasPrefix?: string;
  /** Comments on properties below the root's own, which a caller documents as parameters. Default false. */
  readonly nestedDocs?: boolean;
};

/** Deepest nesting printed; the deepest of 3,615 real tools is 13. */
const maxDepth = 24;
/** Subschemas printed for one schema: small references may multiply without end. */
const maxPrinted = 8_000;
/** Properties or tuple items shown of one schema. */
const maxMembers = 400;

/** Prints one JSON Schema as a TypeScript type. Never throws for a schema, however broken: what it cannot read is `unknown`. */
export class TypeWriter {
  readonly aliases: TypeAlias[] = [];
  readonly #refs: SchemaRefs;
  readonly #names: AliasNames;
  readonly #named = new Map<string, string>();
  /** Aliases still to print: printing them in place would nest as deep as the schema's author likes. */
  readonly #pending: { name: string; target: unknown }[] = [];
  readonly #root: unknown;
  readonly #options: TypeWriterOptions;
  #printed = 0;

  constructor(root: unknown, options: TypeWriterOptions = {}) {
    this.#root = root;
    this.#options = options;
    this.#refs = new SchemaRefs(root);
    this.#names = new AliasNames(options.aliasPrefix ?? "");
  }

  /** The type of the root schema; `aliases` holds the types it names. */
  writeRoot(indent = ""): string {
    const root = printType(
      this.#refs.isRecursive("#") ? this.#reference("#", indent, 0) : this.#type(this.#root, indent, 0),
    );
    for (let next = this.#pending.shift(); next !== undefined; next = this.#pending.shift())
      this.aliases.push({ name: next.name, text: printType(this.#type(next.target, "", 1)) });
    return root;
  }

  #type(schema: unknown, indent: string, depth: number): TypeText {
    if (schema === false) return atom("never");
    if (!isSchemaObject(schema) || depth > maxDepth || ++this.#printed > maxPrinted) return unknownType;
    const type = this.#nonNull(schema, indent, depth);
    return schema.nullable === true && !isUnknown(type) ? unionOf([type, atom("null")]) : type;
  }

  #nonNull(schema: SchemaObject, indent: string, depth: number): TypeText {
    const ref = refOf(schema);
    if (ref !== undefined) {
      const { $ref: _ref, $dynamicRef: _dynamicRef, ...siblings } = schema;
      return intersectionOf([this.#reference(ref, indent, depth), this.#nonNull(siblings, indent, depth)]);
    }
    if (Object.hasOwn(schema, "const")) return atom(literalType(schema.const));
    if (Array.isArray(schema.enum)) return enumType(schema.enum);
    const base = this.#structure(schema, indent, depth);
    const branches = [this.#branches(schema, "anyOf", indent, depth), this.#branches(schema, "oneOf", indent, depth)];
    const all = schemaList(schema, "allOf").map((branch) => this.#type(branch, indent, depth + 1));
    return intersectionOf([base, ...branches, ...all]);
  }

  /** A branch that only names `required` properties says nothing a type can say; then the whole choice is dropped. */
  #branches(schema: SchemaObject, keyword: "anyOf" | "oneOf", indent: string, depth: number): TypeText {
    const branches = schemaList(schema, keyword);
    if (branches.length === 0) return unknownType;
    const hasProperties = schemaMap(schema, "properties").length > 0;
    if (hasProperties && branches.some((branch) => isSchemaObject(branch) && !hasShape(branch))) return unknownType;
    return unionOf(branches.map((branch) => this.#type(branch, indent, depth + 1)));
  }

  #reference(ref: string, indent: string, depth: number): TypeText {
    const named = this.#named.get(ref);
    if (named !== undefined) return atom(named);
    const target = this.#refs.target(ref);
    if (!this.#refs.needsAlias(ref)) return this.#type(target, indent, depth + 1);
    const name = this.#names.take(ref === "#" ? (this.#options.rootName ?? "Input") : (ref.split("/").at(-1) ?? ref));
    this.#named.set(ref, name); // now, so that recursion finds it
    this.#pending.push({ name, target });
    return atom(name);
  }

  #structure(schema: SchemaObject, indent: string, depth: number): TypeText {
    const types = typeNames(schema);
    return types.length === 0 ? unknownType : unionOf(types.map((type) => this.#typed(type, schema, indent, depth)));
  }

  #typed(type: string, schema: SchemaObject, indent: string, depth: number): TypeText {
    switch (type) {
      case "string":
      case "boolean":
      case "null":
      case "number":
        return atom(type);
      case "integer":
        return atom("number");
      case "array":
        return atom(this.#array(schema, indent, depth));
      case "object":
        return atom(this.#object(schema, indent, depth));
      default:
        return unknownType;
    }
  }

  #array(schema: SchemaObject, indent: string, depth: number): string {
    const tuple = Array.isArray(schema.prefixItems)
      ? schema.prefixItems
      : Array.isArray(schema.items)
        ? schema.items
        : undefined;
    if (tuple !== undefined) return this.#tuple(schema, tuple, indent, depth);
    return `${printTight(this.#type(schema.items, indent, depth + 1))}[]`;
  }

  #tuple(schema: SchemaObject, tuple: readonly unknown[], indent: string, depth: number): string {
    const rest = Array.isArray(schema.prefixItems) ? schema.items : schema.additionalItems;
    const required = typeof schema.minItems === "number" ? schema.minItems : tuple.length;
    const items = tuple.slice(0, maxMembers).map((item, index) => {
      const type = this.#type(item, indent, depth + 1);
      return index < required ? printType(type) : `${printTight(type)}?`;
    });
    const closed =
      (rest === false && tuple.length <= maxMembers) ||
      (typeof schema.maxItems === "number" && schema.maxItems <= tuple.length);
    if (!closed) items.push(`...${printTight(this.#type(rest, indent, depth + 1))}[]`);
    return `[${items.join(", ")}]`;
  }

  #object(schema: SchemaObject, indent: string, depth: number): string {
    const properties = new Map(schemaMap(schema, "properties"));
    const required = new Set(nameList(schema, "required"));
    // a required name without a schema is still required: leaving it out would make every call fail
    for (const name of required) if (!properties.has(name)) properties.set(name, true);
    const index = this.#indexType(schema, indent, depth);
    if (properties.size === 0) return emptyObject(schema, index);
    const inner = `${indent}  `;
    const lines = [...properties]
      .slice(0, maxMembers)
      .map(([name, child]) => this.#property({ name, child, optional: !required.has(name) }, inner, depth));
    if (index !== undefined || properties.size > maxMembers) lines.push("[key: string]: unknown"); // a narrower index type would contradict the properties
    return joinObject(lines, indent);
  }

  #property(property: { name: string; child: unknown; optional: boolean }, indent: string, depth: number): string {
    const { name, child, optional } = property;
    const line = `${propertyKey(name)}${optional ? "?" : ""}: ${printType(this.#type(child, indent, depth + 1))}`;
    const doc = depth > 0 && this.#options.nestedDocs === true ? nestedDoc(child) : "";
    return doc === "" ? line : `/** ${doc} */\n${indent}${line}`;
  }

  #indexType(schema: SchemaObject, indent: string, depth: number): TypeText | undefined {
    const inner = `${indent}  `;
    const types = schemaMap(schema, "patternProperties").map(([, child]) => this.#type(child, inner, depth + 1));
    const { additionalProperties } = schema;
    if (additionalProperties === true) types.push(unknownType);
    else if (isSchemaObject(additionalProperties)) types.push(this.#type(additionalProperties, inner, depth + 1));
    return types.length === 0 ? undefined : unionOf(types);
  }
}
