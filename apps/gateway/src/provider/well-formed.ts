/** The value with every lone surrogate in its texts replaced: providers refuse what is no valid UTF-8. The same object where nothing changes. */
export function wellFormed<Value>(value: Value): Value {
  return fix(value) as Value;
}

function fix(value: unknown): unknown {
  if (typeof value === "string") return value.isWellFormed() ? value : value.toWellFormed();
  if (Array.isArray(value)) {
    const items = value.map(fix);
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const entries = Object.entries(value);
  const fixed = entries.map(([key, item]) => [fix(key) as string, fix(item)] as const);
  return fixed.some(([key, item], index) => key !== entries[index]?.[0] || item !== entries[index]?.[1])
    ? Object.fromEntries(fixed)
    : value;
}
