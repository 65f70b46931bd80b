import type { TurnUsage } from "./turn.ts";
import type { RequestUsage } from "./turn-event.ts";

/** Prices of a model in US dollars per million tokens. */
export type ModelPrice = { readonly inputPerMTok: number; readonly outputPerMTok: number };

/** Adds up the model requests of one turn. */
export class UsageMeter {
  #inputTokens = 0;
  #outputTokens = 0;
  #requests = 0;
  #price: ModelPrice | undefined;

  /** From now on costs are known. */
  setPrice(price: ModelPrice | undefined): void {
    this.#price = price;
  }

  add({ inputTokens, outputTokens }: RequestUsage): void {
    this.#requests += 1;
    this.#inputTokens += inputTokens;
    this.#outputTokens += outputTokens;
  }

  /** What was used so far. */
  get total(): TurnUsage {
    const usage = { inputTokens: this.#inputTokens, outputTokens: this.#outputTokens, requests: this.#requests };
    if (this.#price === undefined) return usage;
    const dollars =
      (this.#inputTokens * this.#price.inputPerMTok + this.#outputTokens * this.#price.outputPerMTok) / 1_000_000;
    // sums of floats end in noise; a nano-dollar is finer than any bill
    return { ...usage, costUsd: Number(dollars.toFixed(9)) };
  }
}
