import { reservedMemberNames } from "./reserved-names.ts";

const separators = /(?:[^\p{ID_Continue}$]|_)+/u;
const identifier = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;
const shouted = /^[\p{Lu}\p{N}]+$/u;

/** The camelCase identifier of an MCP server or tool name: `create_issue` → `createIssue`. Always an identifier. */
export function camelName(name: string): string {
  const words = name
    .normalize("NFKC")
    .split(separators)
    .filter((word) => word !== "");
  const joined = words.map((word, index) => (index === 0 ? lowerFirst(calm(word)) : upperFirst(calm(word)))).join("");
  return identifier.test(joined) ? joined : `_${joined}`;
}

/**
 * Original name → member name. An original name that brackets reach keeps its spelling for itself; every other
 * collision gets `_2`, `_3` in the given order (MCP-1).
 * @param originals distinct names in catalog-id order
 */
export function assignMemberNames(originals: readonly string[]): Map<string, string> {
  const taken = new Set(originals.filter((name) => !reservedMemberNames.has(name)));
  const lastSuffix = new Map<string, number>();
  const members = new Map<string, string>();
  for (const original of originals) {
    const camel = camelName(original);
    const base = reservedMemberNames.has(camel) ? `${camel}_` : camel;
    const member = base === original ? base : freeName(base, taken, lastSuffix);
    taken.add(member);
    members.set(original, member);
  }
  return members;
}

/** Remembers the last suffix of each base, so that many collisions stay linear. */
function freeName(base: string, taken: ReadonlySet<string>, lastSuffix: Map<string, number>): string {
  let suffix = lastSuffix.get(base) ?? 1;
  let name = suffix === 1 ? base : `${base}_${suffix}`;
  while (taken.has(name)) {
    suffix++;
    name = `${base}_${suffix}`;
  }
  lastSuffix.set(base, suffix);
  return name;
}

function calm(word: string): string {
  return shouted.test(word) ? word.toLowerCase() : word;
}

function upperFirst(word: string): string {
  const [first = "", ...rest] = word;
  return first.toUpperCase() + rest.join("");
}

function lowerFirst(word: string): string {
  const [first = "", ...rest] = word;
  return first.toLowerCase() + rest.join("");
}
