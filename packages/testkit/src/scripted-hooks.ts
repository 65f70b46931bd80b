import type { HookDecision, HookEvent, HookPort, JsonValue, NestedOutcome, RunScope } from "@code-mode/contract";

/** What a scripted before-hook does with a call; undefined lets it go on. */
export type ScriptedHookAnswer = HookDecision | "throw" | "hang";

/** One hook of a test. */
export type HookScript = (event: HookEvent, scope: RunScope) => ScriptedHookAnswer;

/** A before-event with the run it belongs to. */
export type SeenHookEvent = { readonly event: HookEvent; readonly scope: RunScope };

/** The hook port of a test: each script sees the input that the one before left, as composed plugins do. */
export class ScriptedHooks implements HookPort {
  readonly #scripts: readonly HookScript[];
  readonly #before: SeenHookEvent[] = [];
  readonly #after: (HookEvent & { readonly outcome: NestedOutcome })[] = [];

  constructor(scripts: readonly HookScript[]) {
    this.#scripts = scripts;
  }

  /** Every before-event, as it came in. */
  get seen(): readonly SeenHookEvent[] {
    return this.#before;
  }

  /** Every after-event. */
  get ended(): readonly (HookEvent & { readonly outcome: NestedOutcome })[] {
    return this.#after;
  }

  async before(event: HookEvent, scope: RunScope, signal: AbortSignal): Promise<HookDecision> {
    this.#before.push({ event: { ...event, input: structuredClone(event.input) }, scope });
    let rewritten: { input: JsonValue } | undefined;
    for (const script of this.#scripts) {
      const answer = script({ ...event, ...rewritten }, scope);
      if (answer === "throw") throw new Error("the hook is broken");
      if (answer === "hang") await untilAborted(signal);
      else if (answer !== undefined && "block" in answer) return answer;
      else if (answer !== undefined) rewritten = answer;
    }
    return rewritten;
  }

  async after(event: HookEvent & { readonly outcome: NestedOutcome }): Promise<void> {
    this.#after.push(event);
  }
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(new Error("the hook was given up")), { once: true });
  });
}
