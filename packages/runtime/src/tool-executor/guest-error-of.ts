import { cutToBytes, toGuestError } from "@code-mode/bridge";
import type { GuestError } from "@code-mode/contract";
import { maxMessageBytes } from "./refusals.ts";

/**
 * Turns whatever a tool threw into plain data: name, message, `code` when it is a string and `details` when they are
 * a small JSON object. The stack, the prototype and every other property stay on the host. Never throws.
 */
export function guestErrorOf(thrown: unknown, toolId: string): GuestError {
  const { details, ...error } = plainError(thrown, toolId);
  const message = withoutFrames(messageOfObject(thrown) ?? error.message);
  const kept = { ...error, message: cutToBytes(message, maxMessageBytes) };
  return details === undefined || Array.isArray(details) ? kept : { ...kept, details };
}

function plainError(thrown: unknown, toolId: string): GuestError {
  if (thrown === undefined) return { name: "Error", message: "The tool threw undefined.", code: "tool_error", toolId };
  try {
    return toGuestError(thrown, { toolId });
  } catch {
    return { name: "Error", message: "The tool threw something that cannot be shown.", code: "tool_error", toolId };
  }
}

/** Tools throw plain `{message, code}` objects too; their whole JSON would be a poor message. */
function messageOfObject(thrown: unknown): string | undefined {
  if (typeof thrown !== "object" || thrown === null) return undefined;
  try {
    const { message } = thrown as { message?: unknown };
    return typeof message === "string" && message !== "" ? message : undefined;
  } catch {
    return undefined;
  }
}

/** Some libraries paste the stack of an inner error into the message; frames name host files. */
function withoutFrames(text: string): string {
  return text.replace(/\n\s+at [^\n]*/g, "");
}
