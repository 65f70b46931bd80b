import type { CallRecord, CallRecorder } from "@code-mode/contract";

/** Every finished call of one case, as the transcript would get it. */
export class CallLog implements CallRecorder {
  readonly #records: CallRecord[] = [];

  /** All records, in order of completion. */
  get records(): readonly CallRecord[] {
    return this.#records;
  }

  record(record: CallRecord): void {
    this.#records.push(record);
  }
}
