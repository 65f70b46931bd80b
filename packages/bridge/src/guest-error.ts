import { CodeModeError, type GuestError, type JsonObject, messageOf } from "@code-mode/contract";
import { cutToBytes } from "./byte-budget.ts";

/** A tool's message may be long, but a guest error is no data channel. */
const maxMessageBytes = 2048;
const maxDetailsBytes = 4096;

/** Optional facts of `toGuestError`. */
export type GuestErrorFacts = { readonly code?: string; readonly toolId?: string; readonly name?: string };

/**
 * Anything thrown on the host as the plain data that the guest may see: name, bounded message, string code, plain
 * details; never a stack, a prototype or a host object (NEST-4).
 */
export function toGuestError(thrown: unknown, facts: GuestErrorFacts = {}): GuestError {
  const source = (typeof thrown === "object" && thrown !== null ? thrown : {}) as Record<string, unknown>;
  const own = (key: string): unknown => readMember(source, key);
  const name = facts.name ?? own("name");
  const code = facts.code ?? own("code");
  const details = plainDetails(own("details"));
  return {
    name: typeof name === "string" && name !== "" && !CodeModeError.is(thrown) ? name.slice(0, 80) : "Error",
    message: cutToBytes(messageOf(thrown), maxMessageBytes),
    code: typeof code === "string" && code !== "" ? code.slice(0, 80) : "tool_error",
    ...(facts.toolId === undefined ? {} : { toolId: facts.toolId }),
    ...(details === undefined ? {} : { details }),
  };
}

/** A member of something thrown: a getter or proxy that throws costs only that field. */
function readMember(source: Record<string, unknown>, key: string): unknown {
  try {
    return source[key];
  } catch {
    return undefined;
  }
}

function plainDetails(value: unknown): JsonObject | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  try {
    const text = JSON.stringify(value);
    if (text === undefined || Buffer.byteLength(text) > maxDetailsBytes || !text.startsWith("{")) return undefined;
    return JSON.parse(text) as JsonObject;
  } catch {
    // Cycles, BigInts, throwing getters: details are an extra.
    return undefined;
  }
}
