import { camelName } from "../member-names.ts";

/** Type names that every declaration file uses already. */
const builtIn = [
  "Array",
  "Function",
  "McpApiHeader",
  "McpTool",
  "McpToolResult",
  "MCP",
  "Object",
  "Promise",
  "Record",
  "String",
  "Number",
  "Boolean",
  "Symbol",
];

/** Hands out type names that are free within one tool. */
export class AliasNames {
  readonly #taken = new Set<string>(builtIn);
  readonly #prefix: string;

  /** @param prefix put before every name, to tell the types of two tools apart */
  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** A free PascalCase name for the target of a reference such as `#/$defs/Node`. */
  take(wanted: string): string {
    const base = this.#prefix + typeName(wanted);
    let name = base;
    for (let suffix = 2; this.#taken.has(name); suffix++) name = `${base}${suffix}`;
    this.#taken.add(name);
    return name;
  }
}

/** A PascalCase type name for any text. */
export function typeName(text: string): string {
  const camel = camelName(text);
  const pascal = (camel[0] ?? "").toUpperCase() + camel.slice(1);
  return /^[A-Z][\w$]*$/.test(pascal) ? pascal : `T${pascal.replace(/[^\w$]/g, "_")}`;
}
