import { cutToBytes } from "@code-mode/bridge";
import { type GuestError, type JsonObject, messageOf } from "@code-mode/contract";

/** Codes of errors that the executor itself makes; a tool may throw with any other. */
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
export const maxMessageBytes = 2048;

/** Builds the plain error the guest gets for a refusal. */
export function buildRefusal(code: RefusalCode, message: string, facts: RefusalFacts): GuestError {
  const name = code === "invalid_tool_input" ? "ToolInputError" : "ToolError";
  const base = { name, message: cutToBytes(message, maxMessageBytes), code, toolId: facts.toolId };
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
