import { cutToBytes, toJsonText } from "@code-mode/bridge";
import { CodeModeError, type HookEvent, type HookPort, type JsonValue, type RunScope } from "@code-mode/contract";
import { askBeforeHook } from "./tool-executor/ask-before-hook.ts";

/** A reason is one sentence for the model. */
const maxReasonBytes = 2048;

/** The outer call as hooks see it (EXEC-6). */
export type OuterCall = {
  readonly control: "exec" | "wait";
  readonly input: unknown;
  readonly scope: RunScope;
  readonly signal: AbortSignal;
};

/**
 * Asks the before-hooks about an `exec` or `wait` call and returns the input that counts.
 * @throws CodeModeError `invalid_input` when a hook blocks the call, throws, answers garbage or takes longer than 5 s;
 * `aborted` when the caller gives up
 */
export async function askOuterHooks(hooks: HookPort | undefined, call: OuterCall): Promise<unknown> {
  if (hooks === undefined) return call.input;
  const { scope, signal } = call;
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(new CodeModeError("aborted", `${call.control} was aborted; nothing ran`));
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    const answer = await Promise.race([askBeforeHook(hooks, { event: eventOf(call), scope, signal }), aborted.promise]);
    if (answer.type === "go_on") return call.input;
    if (answer.type === "rewritten") return syncAliases(call.input, answer.input);
    throw new CodeModeError(
      "invalid_input",
      `${call.control} was blocked by a hook: ${cutToBytes(answer.reason, maxReasonBytes)}`,
    );
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

function eventOf({ control, input }: OuterCall): HookEvent {
  // Hooks get a copy: editing it in place must not change the program that runs.
  const event = { toolId: `code_mode:${control}`, toolName: control, input: copyOf(input) };
  if (control === "wait") return { ...event, toolKind: "code_mode_wait" };
  const language = (input as { language?: unknown } | null)?.language ?? "javascript";
  const known = language === "javascript" || language === "typescript";
  return { ...event, toolKind: "code_mode_exec", ...(known ? { toolInputKind: language } : {}) };
}

/** A hook that rewrites one of two present aliases rewrites both (EXEC-1). */
function syncAliases(before: unknown, after: JsonValue): unknown {
  if (!hasBoth(before) || !hasBoth(after) || after.code === after.command) return after;
  const rewritten = after.code !== before.code ? after.code : after.command;
  return { ...(after as object), code: rewritten, command: rewritten };
}

function hasBoth(input: unknown): input is { code: unknown; command: unknown } {
  return typeof input === "object" && input !== null && "code" in input && "command" in input;
}

function copyOf(input: unknown): JsonValue {
  const copy = toJsonText(input);
  return copy.ok ? (JSON.parse(copy.text) as JsonValue) : null;
}
