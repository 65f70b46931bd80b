import type { CallRecord, CallRecorder, CellEvent, CellObserver, JsonObject } from "@code-mode/contract";
import { CellFacts } from "./cell-facts.ts";
import type { RedactOptions } from "./redact.ts";

/** What `createTrajectoryRecorder` takes. */
export type TrajectoryOptions = RedactOptions & {
  /** Receives each line, a JSON object without line break; the line end is the writer's. */
  write(line: string): void;
  /** Wall clock in ms. Default `Date.now`. */
  now?(): number;
};

/** A recorder of cells and calls, and how many lines its writer lost. */
export type TrajectoryRecorder = CellObserver & CallRecorder & { readonly failures: number };

/**
 * Creates a recorder that writes what cells do as JSON Lines, redacted. Every line has `seq`, `at`, `type` and `id`;
 * lines of a nested call have `parentId`, the `exec` or `wait` call they belong to (TRJ-2). Program source stays
 * verbatim but for registered secrets. Never throws: a failing writer is counted.
 */
export function createTrajectoryRecorder(options: TrajectoryOptions): TrajectoryRecorder {
  const recorder = new Recorder(options);
  return {
    onCellEvent: (event) => recorder.event(event),
    record: (record) => recorder.record(record),
    get failures() {
      return recorder.failures;
    },
  };
}

class Recorder {
  readonly #options: TrajectoryOptions;
  readonly #facts: CellFacts;
  #sequence = 0;
  #lastNow = Number.NaN;
  #lastAt = "";
  failures = 0;

  constructor(options: TrajectoryOptions) {
    this.#options = options;
    this.#facts = new CellFacts(options);
  }

  event(event: CellEvent): void {
    this.#write(() => this.#facts.ofEvent(event));
  }

  record(record: CallRecord): void {
    this.#write(() => this.#facts.ofRecord(record));
  }

  /** Lines of one millisecond share their text: making it costs as much as the rest of a small line. */
  #at(): string {
    const now = this.#options.now?.() ?? Date.now();
    if (now !== this.#lastNow) {
      this.#lastAt = new Date(now).toISOString();
      this.#lastNow = now;
    }
    return this.#lastAt;
  }

  #write(buildFacts: () => JsonObject): void {
    try {
      const at = this.#at();
      const line = JSON.stringify({ seq: this.#sequence, at, ...buildFacts() });
      this.#sequence += 1;
      this.#options.write(line);
    } catch {
      this.failures += 1;
    }
  }
}
