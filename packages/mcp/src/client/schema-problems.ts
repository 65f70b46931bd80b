const maxDepth = 100;
const maxNodes = 20_000;

type Schema = Readonly<Record<string, unknown>>;

/** What is wrong with a tool's schema, in words. One that is `endless` is too deep or too large to be worked with. */
export type SchemaProblems = { readonly problems: readonly string[]; readonly endless: boolean };

/** Looks for what makes a schema useless or dangerous to others; never changes it, never fetches anything. */
export function findSchemaProblems(schema: Schema): SchemaProblems {
  const at: Walk = { depth: 0, problems: new Set(), seen: { nodes: 0, endless: false } };
  walk(schema, schema, at);
  return { problems: [...at.problems], endless: at.seen.endless };
}

type Walk = {
  readonly depth: number;
  readonly problems: Set<string>;
  readonly seen: { nodes: number; endless: boolean };
};

function walk(node: unknown, root: Schema, at: Walk): void {
  if (typeof node !== "object" || node === null) return;
  at.seen.nodes += 1;
  if (at.depth > maxDepth || at.seen.nodes > maxNodes) {
    at.seen.endless = true;
    return;
  }
  if (!Array.isArray(node)) inspect(node as Schema, root, at.problems);
  for (const [key, value] of Object.entries(node)) {
    if (key !== "enum" && key !== "const" && key !== "default" && key !== "examples")
      walk(value, root, { ...at, depth: at.depth + 1 });
  }
}

function inspect(node: Schema, root: Schema, problems: Set<string>): void {
  const reference = node.$ref;
  if (typeof reference === "string") inspectReference(reference, root, problems);
  const pattern = node.pattern;
  if (typeof pattern === "string" && !isPattern(pattern))
    problems.add(`has the pattern ${JSON.stringify(pattern.slice(0, 60))}, which is no regular expression`);
  if (typeof node.nullable === "boolean" || Array.isArray(node.items))
    problems.add("uses words of an older JSON Schema draft");
}

function inspectReference(reference: string, root: Schema, problems: Set<string>): void {
  if (!reference.startsWith("#"))
    problems.add(`refers to ${JSON.stringify(reference.slice(0, 80))} outside itself, which is never fetched`);
  else if (reference.startsWith("#/") && !resolves(reference, root))
    problems.add(`refers to ${JSON.stringify(reference.slice(0, 80))}, which does not exist`);
}

function resolves(reference: string, root: Schema): boolean {
  let node: unknown = root;
  for (const part of reference.slice(2).split("/")) {
    const key = decode(part).replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof node !== "object" || node === null || !Object.hasOwn(node, key)) return false;
    node = (node as Record<string, unknown>)[key];
  }
  return true;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function isPattern(pattern: string): boolean {
  try {
    new RegExp(pattern, "u");
    return true;
  } catch {
    return false;
  }
}
