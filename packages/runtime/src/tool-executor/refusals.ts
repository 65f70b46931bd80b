import { type GuestError, type JsonObject, messageOf } from "@code-mode/contract";

/** Why a call was refused or failed outside the tool itself; GUEST-visible codes of `GuestError`. */
export type RefusalCode =
  | "unknown_tool"
  | "not_replay_safe"
  | "blocked_by_hook"
  | "invalid_tool_input"
  | "approval_denied"
  | "approval_expired"
  | "aborted"
  | "tool_error";

/** Facts of a refusal. */
export type RefusalFacts = { readonly toolId: string; readonly details?: JsonObject };

/** Longest message a guest gets; texts come from tools, hooks and humans. */
const maxMessageBytes = 2048;

/** Builds the plain error the guest gets for a refusal. */
export function buildRefusal(code: RefusalCode, message: string, facts: RefusalFacts): GuestError {
  const base = { name: "ToolError", message: clipMessage(message), code, toolId: facts.toolId };
  return facts.details === undefined ? base : { ...base, details: facts.details };
}

/**
 * The refusal of an id that resolves to nothing. A denied tool gets exactly this error too: a different text
 * would tell the guest which hidden tools exist.
 */
export function buildUnknownTool(toolId: string): GuestError {
  const shown = toolId.length > 200 ? `${toolId.slice(0, 200)}…` : toolId;
  return buildRefusal(
    "unknown_tool",
    `Unknown tool id ${JSON.stringify(shown)}. Callable ids are in ALL_TOOLS; find one with tools.search(query).`,
    { toolId },
  );
}

/** Cuts a message at 2 KiB of UTF-8, at a character boundary. */
export function clipMessage(message: string): string {
  if (message.length * 3 <= maxMessageBytes || Buffer.byteLength(message) <= maxMessageBytes) return message;
  const kept = Buffer.from(message).subarray(0, maxMessageBytes - 4);
  return `${new TextDecoder().decode(kept, { stream: true })}…`;
}

/** The message of whatever a hook, policy or approval port threw, on one line. */
export function reasonOf(thrown: unknown): string {
  return oneLine(messageOf(thrown));
}

/** The text without line breaks and stack frames. */
export function oneLine(text: string): string {
  return text
    .replace(/\n\s+at [^\n]*/g, "")
    .replace(/\s*\n\s*/g, " ")
    .trim();
}
