import { CodeModeError } from "@code-mode/contract";
import type { RequestedCall } from "./requested-calls.ts";

/** Counts faulty replies in a row: a model that repeats one for ever would never end its turn (PRV-2). */
export class FailureStreak {
  #last = "";
  #count = 0;

  /**
   * Notes the calls of one reply.
   * @throws CodeModeError at the third identical fault in a row
   */
  note(calls: readonly RequestedCall[]): void {
    const faults = calls
      .map(({ name, fault }) => (fault === undefined ? "" : `${name}: ${fault}`))
      .join("\n")
      .trim();
    this.#count = faults !== "" && faults === this.#last ? this.#count + 1 : 1;
    this.#last = faults;
    if (faults !== "" && this.#count >= 3)
      throw new CodeModeError("internal_error", `the model failed three times in the same way: ${faults}`);
  }
}
