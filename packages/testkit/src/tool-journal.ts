import type { JsonValue } from "@code-mode/contract";
import type { ToolCall } from "./case-types.ts";

/** What the fixture tools of one case did: every body that ran, and the side effects they left. */
export class ToolJournal {
  readonly #calls: ToolCall[] = [];
  readonly #ledger = new Map<string, number>();

  /** All calls so far, in the order in which the bodies began. */
  get calls(): readonly ToolCall[] {
    return this.#calls;
  }

  /** Side effects so far: how often each key was counted. */
  get ledger(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#ledger);
  }

  /** Notes that the body of `tool` began. */
  began(tool: string, input: JsonValue): void {
    this.#calls.push({ tool, input: structuredClone(input) });
  }

  /** Leaves one side effect under `key` and returns how many there are now. */
  count(key: string): number {
    const next = (this.#ledger.get(key) ?? 0) + 1;
    this.#ledger.set(key, next);
    return next;
  }
}
