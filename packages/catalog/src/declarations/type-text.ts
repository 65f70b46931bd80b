/** A type as text, kept in parts so that precedence never has to be read back from text. */
export type TypeText = { readonly join: "|" | "&"; readonly parts: readonly string[] };

/** A type that needs no parentheses anywhere. */
export function atom(text: string): TypeText {
  return { join: "|", parts: [text] };
}

/** The type that accepts everything. */
export const unknownType: TypeText = atom("unknown");

/** True for `unknown`. */
export function isUnknown(type: TypeText): boolean {
  return type.parts.length === 1 && type.parts[0] === "unknown";
}

/** A type as text. */
export function printType(type: TypeText): string {
  return type.parts.join(` ${type.join} `);
}

/** A type as text, in parentheses where an array suffix or `&` would bind tighter. */
export function printTight(type: TypeText): string {
  return type.parts.length > 1 ? `(${printType(type)})` : printType(type);
}

/** The union of types; `unknown` swallows the rest, `never` vanishes. */
export function unionOf(types: readonly TypeText[]): TypeText {
  const parts = new Set<string>();
  for (const type of types) {
    if (isUnknown(type)) return unknownType;
    for (const part of type.join === "|" ? type.parts : [printType(type)]) if (part !== "never") parts.add(part);
  }
  return parts.size === 0 ? atom("never") : { join: "|", parts: [...parts] };
}

/** Types that say nothing beside a more specific one. */
const generic: ReadonlySet<string> = new Set(["string", "number", "boolean", "Record<string, unknown>", "unknown[]"]);

/** The intersection of types; `unknown` and generic bases vanish beside something more specific. */
export function intersectionOf(types: readonly TypeText[]): TypeText {
  const distinct = new Map<string, TypeText>();
  for (const type of types) if (!isUnknown(type)) distinct.set(printType(type), type);
  if (distinct.has("never")) return atom("never");
  const specific = [...distinct].filter(([text]) => !generic.has(text));
  const kept = (specific.length > 0 ? specific : [...distinct]).map(([, type]) => type);
  const [only] = kept;
  if (only === undefined) return unknownType;
  if (kept.length === 1) return only;
  return { join: "&", parts: kept.flatMap((type) => (type.join === "&" ? type.parts : [printTight(type)])) };
}
