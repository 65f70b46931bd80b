import type { HookEvent, HookPort, JsonValue, RunScope } from "@code-mode/contract";
import { oneLine, reasonOf } from "./refusals.ts";
import { settleWithin } from "./settle-within.ts";
import { toReplyValue } from "./to-reply-value.ts";

/** Longest a hook may think: a hook that hangs must not hold a call for ever, and must not let it through (PLG-2). */
export const hookTimeLimitMs = 5_000;

/** What the before-hooks said, garbage included: everything that is not a clear "go on" blocks. */
export type HookAnswer =
  | { readonly type: "go_on" }
  | { readonly type: "rewritten"; readonly input: JsonValue }
  | { readonly type: "blocked"; readonly reason: string };

/** A call as the before-hooks see it. `signal` ends their work. */
export type HookQuestion = { readonly event: HookEvent; readonly scope: RunScope; readonly signal: AbortSignal };

/** Asks the before-hooks. Never rejects; fails closed. */
export async function askBeforeHook(hooks: HookPort, question: HookQuestion): Promise<HookAnswer> {
  const giveUp = new AbortController();
  const forward = () => giveUp.abort(question.signal.reason);
  question.signal.addEventListener("abort", forward, { once: true });
  const result = await settleWithin(
    async () => hooks.before(question.event, question.scope, giveUp.signal),
    hookTimeLimitMs,
  );
  question.signal.removeEventListener("abort", forward);
  if (result.type === "late") {
    giveUp.abort();
    return blocked(`a before_tool_call hook took longer than ${hookTimeLimitMs} ms`);
  }
  if (result.type === "failed") return blocked(`a before_tool_call hook failed: ${reasonOf(result.error)}`);
  return readDecision(result.value);
}

function readDecision(decision: unknown): HookAnswer {
  if (decision === undefined) return { type: "go_on" };
  try {
    return readObject(decision);
  } catch (error) {
    return blocked(`the answer of a before_tool_call hook cannot be read: ${reasonOf(error)}`);
  }
}

function readObject(decision: unknown): HookAnswer {
  if (typeof decision !== "object" || decision === null) return notUnderstood();
  const { block, reason, input } = decision as { block?: unknown; reason?: unknown; input?: unknown };
  if (block === true) return blocked(typeof reason === "string" && reason !== "" ? oneLine(reason) : "no reason given");
  if (block !== undefined && block !== false) return notUnderstood();
  if (input === undefined) return notUnderstood();
  const plain = toReplyValue(input, Number.MAX_SAFE_INTEGER);
  return plain.ok
    ? { type: "rewritten", input: plain.value }
    : blocked(`a before_tool_call hook rewrote the input to something unusable: ${plain.problem}`);
}

function notUnderstood(): HookAnswer {
  return blocked("a before_tool_call hook answered something other than nothing, {block: true, reason} or {input}");
}

function blocked(reason: string): HookAnswer {
  return { type: "blocked", reason };
}
