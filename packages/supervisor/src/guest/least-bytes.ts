import { getOwnPropertyDescriptor, isArray, ownKeys } from "./intrinsics.ts";

/** Members looked at: enough to find the one huge string that a model sends by mistake. */
const maxMembers = 200;

/** A lower bound of the JSON bytes of a value, from its long strings; reads data properties only and copies nothing. */
export function leastBytes(value: unknown, enough: number, depth = 0): number {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null || depth >= 2) return 0;
  if (isArray(value) && value.length > maxMembers) return value.length;
  const keys = ownKeys(value);
  let bytes = 0;
  for (let index = 0; index < keys.length && index < maxMembers && bytes <= enough; index++)
    bytes += leastBytes(getOwnPropertyDescriptor(value, keys[index] as string)?.value, enough, depth + 1);
  return bytes;
}
