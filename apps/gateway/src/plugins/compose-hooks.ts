import { type HookDecision, type HookEvent, type HookPort, messageOf, type RunScope } from "@code-mode/contract";
import type { HookAnswer, Plugin } from "./plugin-types.ts";

/** Longest a hook may take: it stands in front of every call, so a hanging one must block the call and nothing else. */
export const hookTimeoutMs = 5_000;

/** Options of `composeHooks`. */
export type ComposeHooksOptions = {
  /** Default `hookTimeoutMs`. */
  readonly timeoutMs?: number;
  /** Told about after-hooks that failed; they cannot undo the call. */
  readonly warn?: (message: string) => void;
};

/**
 * One port over the hooks of all plugins, asked in the order of the configuration. Each sees the input that the
 * one before it left; the first to block wins. A hook that throws or is late blocks the call (PLG-2).
 */
export function composeHooks(plugins: readonly Plugin[], options: ComposeHooksOptions = {}): HookPort {
  const timeoutMs = options.timeoutMs ?? hookTimeoutMs;
  const hooked = plugins.filter((plugin) => plugin.hooks !== undefined);
  return {
    async before(event, scope, signal) {
      let current = event;
      for (const plugin of hooked) {
        const decision = await askBefore(plugin, current, { scope, signal, timeoutMs });
        if (decision && "block" in decision) return decision;
        if (decision) current = { ...current, input: decision.input };
      }
      return current === event ? undefined : { input: current.input };
    },
    async after(event, scope) {
      for (const { id, hooks } of hooked) {
        try {
          await within(timeoutMs, async () => hooks?.after_tool_call?.(structuredClone(event), scope));
        } catch (error) {
          options.warn?.(`after_tool_call of plugin ${id} failed: ${messageOf(error)}`);
        }
      }
    },
  };
}

type AskOptions = { readonly scope: RunScope; readonly signal: AbortSignal; readonly timeoutMs: number };

async function askBefore(plugin: Plugin, event: HookEvent, options: AskOptions): Promise<HookDecision> {
  const { scope, signal, timeoutMs } = options;
  try {
    // A copy: a hook that edits the event in place must not change what runs without being recorded.
    const answer = await within(timeoutMs, async () =>
      plugin.hooks?.before_tool_call?.(structuredClone(event), { ...scope, signal }),
    );
    return parseAnswer(answer, plugin.id);
  } catch (error) {
    return { block: true, reason: `before_tool_call of plugin ${plugin.id} failed: ${messageOf(error)}` };
  }
}

function parseAnswer(answer: HookAnswer, pluginId: string): HookDecision {
  if (answer === undefined || answer === null) return undefined;
  if (typeof answer === "object") {
    if ("block" in answer && answer.block === true)
      return { block: true, reason: String(answer.reason ?? `blocked by plugin ${pluginId}`) };
    if ("input" in answer && answer.input !== undefined) return { input: structuredClone(answer.input) };
    if (Object.keys(answer).length === 0) return undefined;
  }
  throw new Error("it answered neither nothing, nor {block: true, reason}, nor {input}");
}

async function within<T>(timeoutMs: number, work: () => Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  try {
    return await Promise.race([work(), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
