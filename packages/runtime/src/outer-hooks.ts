import {
  CodeModeError,
  type HookEvent,
  type HookPort,
  type JsonValue,
  messageOf,
  type RunScope,
} from "@code-mode/contract";

/** A hook that takes longer blocks the call. */
const hookLimitMs = 5000;

/** The outer call as hooks see it (EXEC-6). */
export type OuterCall = {
  readonly control: "exec" | "wait";
  readonly input: unknown;
  readonly scope: RunScope;
  readonly signal: AbortSignal;
};

/**
 * Asks the before-hooks about an `exec` or `wait` call and returns the input that counts.
 * @throws CodeModeError `invalid_input` when a hook blocks the call, throws, or takes longer than 5 s
 */
export async function askOuterHooks(hooks: HookPort | undefined, call: OuterCall): Promise<unknown> {
  if (hooks === undefined) return call.input;
  const decision = await decide(hooks, call);
  if (decision === undefined) return call.input;
  if ("block" in decision)
    throw new CodeModeError("invalid_input", `${call.control} was blocked by a hook: ${decision.reason}`);
  return syncAliases(call.input, decision.input);
}

async function decide(hooks: HookPort, call: OuterCall): ReturnType<HookPort["before"]> {
  const limit = Promise.withResolvers<never>();
  const timer = setTimeout(() => limit.reject(new Error(`no answer within ${hookLimitMs} ms`)), hookLimitMs);
  try {
    return await Promise.race([hooks.before(eventOf(call), call.scope, call.signal), limit.promise]);
  } catch (error) {
    throw new CodeModeError("invalid_input", `${call.control} was blocked: a hook failed (${messageOf(error)})`, {
      cause: error,
    });
  } finally {
    clearTimeout(timer);
  }
}

function eventOf({ control, input }: OuterCall): HookEvent {
  const event = { toolId: `code_mode:${control}`, toolName: control, input: (input ?? null) as JsonValue };
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
