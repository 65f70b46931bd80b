/** Closes a discriminated union: the compiler proves that no case is left; at run time it names the one that is. */
export function assertNever(value: never): never {
  throw new Error(`case not handled: ${JSON.stringify(value)}`);
}
