import type { ToolContext } from "@code-mode/contract";
import type { CallDeadline } from "./call-deadline.ts";
import type { McpElicit, McpElicitation, McpElicitationAnswer } from "./elicitation.ts";

/** A call that a server is working on. */
export type ActiveCall = { readonly member: string; readonly context: ToolContext; readonly deadline: CallDeadline };

/** The calls that one server is working on: whom its questions concern, and whose clocks stand still meanwhile. */
export class ActiveCalls {
  readonly #calls = new Set<ActiveCall>();

  /** Counts a call until the returned function is called. */
  add(call: ActiveCall): () => void {
    this.#calls.add(call);
    return () => void this.#calls.delete(call);
  }

  /**
   * Puts a question of the server to the user. Over stdio nothing says which call it belongs to: with exactly one under way
   * it is that one, else the question belongs to none.
   */
  async ask(elicit: McpElicit, question: McpElicitation, signal: AbortSignal): Promise<McpElicitationAnswer> {
    const calls = [...this.#calls];
    const resume = calls.map(({ deadline }) => deadline.pause());
    const [only] = calls;
    const call = calls.length === 1 && only !== undefined ? { member: only.member, context: only.context } : undefined;
    const signals = call === undefined ? [signal] : [signal, call.context.signal];
    try {
      return await elicit(call === undefined ? question : { ...question, call }, { signal: AbortSignal.any(signals) });
    } finally {
      for (const go of resume) go();
    }
  }
}
