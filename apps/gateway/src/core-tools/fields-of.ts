import type { JsonValue } from "@code-mode/contract";

/** The input object of a core tool. The executor has validated it against the tool's schema before (NEST-4). */
export function fieldsOf<Fields extends object>(input: JsonValue): Partial<Fields> {
  return (typeof input === "object" && input !== null && !Array.isArray(input) ? input : {}) as Partial<Fields>;
}
