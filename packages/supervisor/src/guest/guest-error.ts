import { explainAbsent } from "./absent.ts";
import { ErrorConstructor, parseJson, StringOf, stringifyJson, stringSlice } from "./intrinsics.ts";
import { toJsonText } from "./serialize.ts";

/** Texts of an error are bounded here, before they leave the VM. */
const maxMessageLength = 4096;
const maxStackLength = 8192;

/** What the host puts into `details` is no longer than this. */
const maxDetailsLength = 4096;

/** A thrown value as plain strings (see `GuestFailure` of the bridge). */
export type Failure = {
  name: string;
  message: string;
  stack: string;
  code?: string;
  toolId?: string;
  details?: unknown;
};

/** Reads a thrown value once, in the guest and under its limits; whatever its getters do, this returns. */
export function describeThrown(thrown: unknown, isHostError: boolean): Failure {
  try {
    return thrown instanceof ErrorConstructor ? describeError(thrown, isHostError) : describeValue(thrown);
  } catch {
    return { name: "Error", message: "the program threw a value that cannot be shown", stack: "" };
  }
}

function describeError(error: Error, isHostError: boolean): Failure {
  const failure: Failure = {
    name: textOf(error.name, 80) || "Error",
    message: textOf(error.message, maxMessageLength),
    stack: textOf(error.stack, maxStackLength),
  };
  if (failure.name === "ReferenceError") failure.message += explainAbsent(failure.message);
  if (!isHostError) return failure;
  const facts = error as Error & { code?: string; toolId?: string; details?: unknown };
  if (typeof facts.code === "string") failure.code = facts.code;
  if (typeof facts.toolId === "string") failure.toolId = facts.toolId;
  const details = plainDetails(facts.details);
  if (details !== undefined) failure.details = details;
  return failure;
}

/** A program may have put anything on an error that it caught: a copy, or nothing when it is no small JSON. */
function plainDetails(details: unknown): unknown {
  try {
    const text = stringifyJson(details);
    return text === undefined || text.length > maxDetailsLength ? undefined : parseJson(text);
  } catch {
    return undefined;
  }
}

function describeValue(thrown: unknown): Failure {
  const text = typeof thrown === "string" ? thrown : toJsonText(thrown, "error", () => undefined, true);
  return { name: "", message: textOf(text, maxMessageLength), stack: "" };
}

function textOf(value: unknown, length: number): string {
  return stringSlice(typeof value === "string" ? value : value === undefined ? "" : StringOf(value), 0, length);
}
