import { type GuestError, type JsonObject, messageOf } from "@code-mode/contract";
import { clipMessage } from "./refusals.ts";

const maxNameLength = 64;
const maxCodeLength = 128;
const maxDetailsBytes = 4096;

/**
 * Turns whatever a tool threw into plain data: name, message, `code` when it is a string and `details` when they are
 * a small JSON object. The stack, the prototype and every other property stay on the host.
 */
export function guestErrorOf(thrown: unknown, toolId: string): GuestError {
  const details = detailsOf(readOwn(thrown, "details"));
  const base = {
    name: shortText(readOwn(thrown, "name"), maxNameLength) ?? "Error",
    message: messageText(thrown),
    code: shortText(readOwn(thrown, "code"), maxCodeLength) ?? "tool_error",
    toolId,
  };
  return details === undefined ? base : { ...base, details };
}

/** Reads a property of something hostile: a getter or proxy that throws reads as absent. */
function readOwn(thrown: unknown, key: string): unknown {
  if ((typeof thrown !== "object" && typeof thrown !== "function") || thrown === null) return undefined;
  try {
    return (thrown as Record<string, unknown>)[key];
  } catch {
    return undefined;
  }
}

function shortText(value: unknown, maxLength: number): string | undefined {
  return typeof value === "string" && value !== "" ? value.slice(0, maxLength) : undefined;
}

function messageText(thrown: unknown): string {
  const message = readOwn(thrown, "message");
  const text = typeof message === "string" && message !== "" ? message : fallbackText(thrown);
  return clipMessage(withoutFrames(text));
}

function fallbackText(thrown: unknown): string {
  if (thrown === undefined) return "The tool threw undefined.";
  try {
    return messageOf(thrown);
  } catch {
    return "The tool threw something that cannot be shown.";
  }
}

/** Some libraries paste the stack of an inner error into the message; frames name host files. */
function withoutFrames(text: string): string {
  return text.replace(/\n\s+at [^\n]*/g, "");
}

function detailsOf(value: unknown): JsonObject | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  try {
    const text = JSON.stringify(value);
    if (text === undefined || Buffer.byteLength(text) > maxDetailsBytes) return undefined;
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed) ? (parsed as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
