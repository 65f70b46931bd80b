import { isPlainObject } from "./plain-object.ts";

/** The tool that a call names, as far as a repair needs it. */
export type RepairTarget = { readonly name: string; readonly kind: "control" | "direct" };

/**
 * Arguments as one JSON object, where what the model meant is beyond doubt: an object that was encoded twice, or the
 * bare program given to `exec`, whose only needed argument is the program. Cut-off JSON is never completed.
 */
export function repairArguments(target: RepairTarget | undefined, text: string): object | undefined {
  const value = parse(text);
  if (isPlainObject(value)) return value;
  if (typeof value === "string") {
    const inner = parse(value);
    if (isPlainObject(inner)) return inner;
  }
  if (target?.kind !== "control" || target.name !== "exec") return undefined;
  if (typeof value === "string" && value.trim() !== "") return { code: value };
  // text that begins like JSON is JSON that was cut off or is broken: to run a part of it could do harm
  return value === undefined && /^[^\s{["]/.test(text.trimStart()) ? { code: text } : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
