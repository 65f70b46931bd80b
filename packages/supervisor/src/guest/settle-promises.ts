import { isArray, isPromise, objectCreate, ownKeys, PromiseConstructor, prototypeOf, setOwn } from "./intrinsics.ts";

/** Promises down to this depth of a value are awaited; the value itself is depth 0 (EXEC-12). */
const maxAwaitedDepth = 3;

const objectPrototype = Object.prototype;

/** A copy of `value` in which promises of plain objects and arrays down to depth 3 are replaced by what they resolve to; all are awaited in parallel. */
export async function settlePromises(value: unknown, depth = 0): Promise<unknown> {
  let settled = value;
  while (isPromise(settled)) settled = await settled;
  if (depth >= maxAwaitedDepth || typeof settled !== "object" || settled === null) return settled;
  if (isArray(settled)) return settleMembers(settled, [], depth);
  const prototype = prototypeOf(settled);
  if (prototype !== objectPrototype && prototype !== null) return settled;
  return settleMembers(settled, objectCreate(null) as object, depth);
}

function settleMembers(source: object, copy: object, depth: number): Promise<unknown> {
  return new PromiseConstructor((resolve, reject) => {
    const keys = ownKeys(source);
    let open = 1;
    const close = (): void => {
      if (--open === 0) resolve(copy);
    };
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index] as string | symbol;
      if (typeof key === "symbol" || (isArray(source) && key === "length")) continue;
      open++;
      // Defined now, filled later: the order of keys is the program's.
      setOwn(copy, key, undefined);
      void settleMember(source, key, depth).then((member) => {
        setOwn(copy, key, member);
        close();
      }, reject);
    }
    close();
  });
}

async function settleMember(source: object, key: string, depth: number): Promise<unknown> {
  return settlePromises((source as Record<string, unknown>)[key], depth + 1);
}
