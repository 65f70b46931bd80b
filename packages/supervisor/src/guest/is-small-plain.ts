import { getOwnPropertyDescriptor, isArray, ownKeys, prototypeOf } from "./intrinsics.ts";

/** Members looked at in all; with the longest strings still far below the size limit of a tool input. */
const maxMembers = 64;
const maxStringLength = 1024;
const maxDepth = 4;

const objectPrototype = Object.prototype;
const arrayPrototype = Array.prototype;

/**
 * True when native `JSON.stringify` prints the value without help and the text is small: data of plain objects, lists,
 * strings, numbers, booleans and null. Most tool inputs and results are; what it costs is a fraction of teaching native
 * stringify the types that it drops.
 */
export function isSmallPlain(value: unknown): boolean {
  return count(value, 0) <= maxMembers;
}

/** Members of a plain value, more than `maxMembers` when it is anything else. */
function count(value: unknown, depth: number): number {
  if (typeof value === "string") return value.length <= maxStringLength ? 1 : maxMembers + 1;
  if (typeof value === "number" || typeof value === "boolean" || value === null) return 1;
  if (typeof value !== "object" || depth === maxDepth) return maxMembers + 1;
  const list = isArray(value);
  if (list && value.length > maxMembers) return maxMembers + 1;
  const prototype = prototypeOf(value);
  if (prototype !== (list ? arrayPrototype : objectPrototype) && (list || prototype !== null)) return maxMembers + 1;
  const keys = ownKeys(value);
  let members = 1;
  for (let index = 0; index < keys.length && members <= maxMembers; index++) {
    const key = keys[index] as string | symbol;
    if (typeof key === "symbol" || key.length > maxStringLength) return maxMembers + 1;
    const descriptor = getOwnPropertyDescriptor(value, key);
    if (descriptor === undefined || descriptor.get !== undefined || descriptor.set !== undefined) return maxMembers + 1;
    members += descriptor.value === undefined ? 1 : count(descriptor.value, depth + 1);
  }
  return members;
}
