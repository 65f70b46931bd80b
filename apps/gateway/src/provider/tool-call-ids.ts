import { createHash } from "node:crypto";
import type { HistoryRule } from "./history-rule.ts";

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/**
 * Gives every tool call of a history an id of its own that the provider takes. Ids that are good already stay; the same
 * history gives the same ids in every request, so that providers can cache it.
 */
export class ToolCallIds {
  readonly #rule: HistoryRule;
  readonly #used = new Set<string>();

  constructor(rule: HistoryRule) {
    this.#rule = rule;
  }

  /** The id under which the next call that is known as `id` goes out. */
  take(id: string): string {
    if (this.#rule.toolCallIds.test(id) && this.#use(id)) return id;
    for (let salt = 0; ; salt++) {
      const made = this.#make(`${salt}:${id}`);
      if (this.#use(made)) return made;
    }
  }

  #use(id: string): boolean {
    if (this.#used.has(id)) return false;
    this.#used.add(id);
    return true;
  }

  #make(text: string): string {
    const hash = createHash("sha256").update(text).digest();
    return Array.from({ length: this.#rule.idLength }, (_, index) => digits[(hash[index] as number) % 62]).join("");
  }
}
