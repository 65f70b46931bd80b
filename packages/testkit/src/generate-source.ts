import { runInNewContext } from "node:vm";

/** Longest a generator may compute; the largest of the data takes some 50 ms. */
const generatorTimeoutMs = 10_000;

/** The program that a `codeGenerator` expression yields, evaluated in a fresh context of its own. */
export function generateSource(expression: string): string {
  const source: unknown = runInNewContext(expression, Object.create(null) as object, { timeout: generatorTimeoutMs });
  if (typeof source !== "string")
    throw new TypeError(`codeGenerator gave ${typeof source}, expected a string: ${expression}`);
  return source;
}
