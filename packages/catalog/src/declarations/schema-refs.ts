import { childSchemas, isSchemaObject, refOf, type SchemaObject } from "./schema-object.ts";

/** Subschemas looked at in one schema document: a hostile one may nest and repeat without end. */
const maxVisited = 20_000;
/** Targets with fewer subschemas are printed where they are used, not as a named alias. */
const smallTarget = 4;

type Target = { readonly schema: unknown; readonly size: number; readonly refs: ReadonlySet<string> };

/** Answers where the `$ref`s of one schema document point to. Never fetches anything: an external reference is unknown. */
export class SchemaRefs {
  readonly #targets = new Map<string, Target>();
  readonly #uses = new Map<string, number>();
  readonly #recursive = new Map<string, boolean>();

  constructor(root: unknown) {
    const whole = this.#survey(root);
    const pending = [...whole.refs];
    for (let ref = pending.pop(); ref !== undefined; ref = pending.pop()) {
      if (this.#targets.has(ref)) continue;
      const target = ref === "#" ? { schema: root, ...whole } : this.#surveyTarget(resolvePointer(root, ref));
      this.#targets.set(ref, target);
      pending.push(...target.refs);
    }
  }

  /** The schema a reference points to, or `undefined`. */
  target(ref: string): unknown {
    return this.#targets.get(ref)?.schema;
  }

  /** True when the target must or should be a named alias: it contains itself, or is large and used more than once. */
  needsAlias(ref: string): boolean {
    const target = this.#targets.get(ref);
    if (target === undefined || !isSchemaObject(target.schema)) return false;
    if (this.isRecursive(ref)) return true;
    return (this.#uses.get(ref) ?? 0) > 1 && (target.size >= smallTarget || target.refs.size > 0);
  }

  /** True when following references from the target leads back to it. */
  isRecursive(ref: string): boolean {
    const known = this.#recursive.get(ref);
    if (known !== undefined) return known;
    const recursive = this.#reaches(ref);
    this.#recursive.set(ref, recursive);
    return recursive;
  }

  #reaches(ref: string): boolean {
    const seen = new Set<string>();
    const pending = [...(this.#targets.get(ref)?.refs ?? [])];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (next === ref) return true;
      if (seen.has(next)) continue;
      seen.add(next);
      pending.push(...(this.#targets.get(next)?.refs ?? []));
    }
    return false;
  }

  #surveyTarget(schema: unknown): Target {
    return { schema, ...this.#survey(schema) };
  }

  #survey(schema: unknown): { size: number; refs: ReadonlySet<string> } {
    return collect(schema, (ref) => this.#uses.set(ref, (this.#uses.get(ref) ?? 0) + 1));
  }
}

function collect(schema: unknown, onRef: (ref: string) => void): { size: number; refs: Set<string> } {
  const refs = new Set<string>();
  const pending: unknown[] = [schema];
  let size = 0;
  while (pending.length > 0 && size < maxVisited) {
    const next = pending.pop();
    if (!isSchemaObject(next)) continue;
    size++;
    const ref = refOf(next);
    if (ref !== undefined) {
      refs.add(ref);
      onRef(ref);
    }
    for (const child of childSchemas(next)) pending.push(child);
  }
  return { size, refs };
}

/** Follows `#`, a JSON pointer or an anchor inside the document. */
function resolvePointer(root: unknown, ref: string): unknown {
  if (ref === "#") return root;
  if (!ref.startsWith("#")) return undefined;
  if (!ref.startsWith("#/")) return findAnchor(root, ref.slice(1));
  let current: unknown = root;
  for (const part of ref.slice(2).split("/")) {
    const key = decode(part).replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, key)) return undefined;
    current = (current as SchemaObject)[key];
  }
  return current;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // a stray % is a name, not an escape
  }
}

function findAnchor(root: unknown, anchor: string): unknown {
  const pending: unknown[] = [root];
  for (let visited = 0; pending.length > 0 && visited < maxVisited; visited++) {
    const next = pending.pop();
    if (typeof next !== "object" || next === null) continue;
    const { $anchor, $dynamicAnchor } = next as SchemaObject;
    if ($anchor === anchor || $dynamicAnchor === anchor) return next;
    for (const child of Object.values(next)) pending.push(child);
  }
  return undefined;
}
