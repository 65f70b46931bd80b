import { CodeModeError, type JsonValue } from "@code-mode/contract";
import { instanceText, isPlainObject, jsonFallback } from "./json-fallback.ts";
import { asNamespaceTool, type NamespaceTool } from "./namespace-tool.ts";
import type { OwnedNamespace } from "./namespace-types.ts";

/** Stands between the keys of a callable's path. */
const pathSeparator = ".";
/** The key that marks a callable in a descriptor; data may not use it. */
const callKey = "$call";

/** A scope as it crosses to the guest: JSON values, and `{$call: path}` where a callable stands. */
export type ScopeDescriptor = { readonly scope: JsonValue; readonly callables: ReadonlyMap<string, NamespaceTool> };

const unsafeKeys: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype", "", callKey]);
const maxDepth = 64;
/** Shared references are written out each time, so a small graph can be a huge tree. */
const maxNodes = 20_000;

/**
 * Writes a scope down as plain data.
 * @throws CodeModeError `internal_error` naming plugin and path for anything that must not cross (NS-5, NS-7)
 */
export function describeScope(namespace: OwnedNamespace, scope: unknown): ScopeDescriptor {
  return new ScopeWriter(namespace).write(scope);
}

class ScopeWriter {
  readonly #namespace: OwnedNamespace;
  readonly #callables = new Map<string, NamespaceTool>();
  readonly #open = new Set<object>();
  #nodes = 0;

  constructor(namespace: OwnedNamespace) {
    this.#namespace = namespace;
  }

  write(scope: unknown): ScopeDescriptor {
    if (
      typeof scope !== "object" ||
      scope === null ||
      Array.isArray(scope) ||
      asNamespaceTool(scope) !== undefined ||
      !isPlainObject(scope)
    )
      throw this.#bad([], "createScope must return a plain object, at once");
    return { scope: this.#value(scope, []) ?? null, callables: this.#callables };
  }

  #value(value: unknown, path: readonly string[]): JsonValue | undefined {
    if (++this.#nodes > maxNodes)
      throw this.#bad(path, `the scope has more than ${maxNodes} values; offer a tool instead`);
    if (typeof value === "function")
      throw this.#bad(path, "a raw function would bypass the catalog; use createCodeModeNamespaceTool");
    if (value === undefined) return undefined;
    const fallback = jsonFallback(value);
    if (fallback !== undefined) return this.#value(fallback.replaced, path);
    if (typeof value !== "object" || value === null) return value as JsonValue;
    const tool = asNamespaceTool(value);
    if (tool !== undefined) return this.#callable(tool, path);
    if (!Array.isArray(value) && !isPlainObject(value)) return instanceText(value);
    return this.#container(value, path);
  }

  #container(value: object, path: readonly string[]): JsonValue {
    if (this.#open.has(value)) throw this.#bad(path, "the scope contains itself");
    if (path.length > maxDepth) throw this.#bad(path, `the scope is nested more than ${maxDepth} levels deep`);
    this.#open.add(value);
    const copy = Array.isArray(value)
      ? Array.from(value, (item, index) => this.#value(item, [...path, String(index)]) ?? null)
      : Object.fromEntries(this.#entries(value, path));
    this.#open.delete(value);
    return copy;
  }

  #entries(value: object, path: readonly string[]): [string, JsonValue][] {
    return Object.entries(value).flatMap(([key, child]): [string, JsonValue][] => {
      if (unsafeKeys.has(key) || key.includes(pathSeparator))
        throw this.#bad([...path, key], `the key ${JSON.stringify(key)} is not allowed`);
      const written = this.#value(child, [...path, key]);
      return written === undefined ? [] : [[key, written]];
    });
  }

  #callable(tool: NamespaceTool, path: readonly string[]): JsonValue {
    if (!this.#namespace.requiredToolNames.includes(tool.toolName))
      throw this.#bad(path, `it calls ${JSON.stringify(tool.toolName)}, which is not one of requiredToolNames`);
    const key = path.join(pathSeparator);
    this.#callables.set(key, tool);
    return { [callKey]: key };
  }

  #bad(path: readonly string[], problem: string): CodeModeError {
    const { pluginId, id, globalName } = this.#namespace;
    const place = [globalName, ...path].join(pathSeparator);
    return new CodeModeError(
      "internal_error",
      `the namespace "${id}" of plugin "${pluginId}" has a bad scope at ${place}: ${problem}.`,
      { details: { pluginId, path: place } },
    );
  }
}
