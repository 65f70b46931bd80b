/** What becomes of a value that JSON cannot hold; `undefined` means that an object drops the key and an array holds `null`. */
export function jsonFallback(value: unknown): { readonly replaced: unknown } | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? undefined : { replaced: null };
  if (typeof value === "bigint") return { replaced: value.toString() };
  if (typeof value === "symbol") return { replaced: `[Symbol: ${value.description ?? ""}]` };
  if (value instanceof Date) return { replaced: Number.isNaN(value.getTime()) ? null : value.toISOString() };
  if (value instanceof URL || value instanceof RegExp) return { replaced: String(value) };
  if (value instanceof Map) return { replaced: mapFallback(value) };
  if (value instanceof Set) return { replaced: [...value] };
  if (value instanceof Error) return { replaced: { name: value.name, message: value.message } };
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer)
    return { replaced: `[${value.constructor.name}: ${value.byteLength} bytes, binary not supported]` };
  return undefined;
}

/** The text that stands for an instance of a class: handles, sockets and clients stay behind tools. */
export function instanceText(value: object): string {
  const className = (value as { constructor?: { name?: unknown } }).constructor?.name;
  const name = typeof className === "string" && className !== "" ? className : "object";
  return `[${name}: not available in code mode]`;
}

/** True for objects written as literals, also those of another realm. */
export function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function mapFallback(map: ReadonlyMap<unknown, unknown>): unknown {
  const entries = [...map];
  return entries.every(([key]) => typeof key === "string") ? Object.fromEntries(entries) : entries;
}
