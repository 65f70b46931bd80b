import { CodeModeError, type JsonSchema } from "@code-mode/contract";

/**
 * Nodes of an expanded schema that may be checked on the main thread. Real tool schemas stay below a few hundred;
 * a hostile server can write one page of references that takes hours to check.
 */
const maxExpandedNodes = 5_000;

/**
 * Whether a schema from an untrusted source is cheap to check: no recursion, and small with every reference expanded.
 * Only local references count as known; any other one makes the answer no.
 */
export function isCheapSchema(schema: JsonSchema): boolean {
  try {
    return new SchemaScale(schema).weigh(schema) <= maxExpandedNodes;
  } catch {
    return false;
  }
}

/** Weighs each node once; a reference weighs as much as what it points to. */
class SchemaScale {
  readonly #root: JsonSchema;
  readonly #known = new Map<object, number>();
  readonly #open = new Set<object>();

  constructor(root: JsonSchema) {
    this.#root = root;
  }

  weigh(node: unknown): number {
    if (typeof node !== "object" || node === null) return 1;
    const known = this.#known.get(node);
    if (known !== undefined) return known;
    if (this.#open.has(node)) throw tooHeavy();
    this.#open.add(node);
    let weight = 1;
    for (const [key, child] of Object.entries(node)) weight += this.#weighMember(key, child);
    this.#open.delete(node);
    this.#known.set(node, weight);
    return weight;
  }

  #weighMember(key: string, child: unknown): number {
    if (key === "$ref" && typeof child === "string") return this.weigh(this.#lookUp(child));
    if (key === "$dynamicRef" || key === "$recursiveRef") throw tooHeavy();
    return this.weigh(child);
  }

  #lookUp(reference: string): unknown {
    if (!reference.startsWith("#")) throw tooHeavy();
    let node: unknown = this.#root;
    for (const part of decodeURIComponent(reference.slice(1)).split("/").slice(1)) {
      const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
      if (typeof node !== "object" || node === null || !Object.hasOwn(node, key)) throw tooHeavy();
      node = (node as Record<string, unknown>)[key];
    }
    return node;
  }
}

function tooHeavy(): CodeModeError {
  return new CodeModeError("invalid_input", "the schema is recursive, refers outside itself or to nothing");
}
