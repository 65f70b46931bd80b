import type {
  CallRecord,
  CallRecorder,
  CellEvent,
  CellObserver,
  CodeModeResult,
  JsonObject,
  JsonValue,
  NestedOutcome,
} from "@code-mode/contract";
import { type RedactOptions, Redactor } from "./redact.ts";

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

/** Longest JSON text of one recorded value: redaction walks every string of it, on the main thread. */
const maxRecordedLength = 128 * 1024;

/** Twice as much is redacted before it is cut: a secret that the cut would split is found whole. */
const previewLength = 2048;

class Recorder {
  readonly #options: TrajectoryOptions;
  readonly #redactor: Redactor;
  /** Progress events do not name the parent of their call. */
  readonly #parents = new Map<string, string>();
  #sequence = 0;
  failures = 0;

  constructor(options: TrajectoryOptions) {
    this.#options = options;
    this.#redactor = new Redactor(options);
  }

  event(event: CellEvent): void {
    if (event.type === "call_started") this.#parents.set(event.callId, event.parentToolCallId);
    this.#write(() => this.#eventFacts(event));
    if (event.type === "call_ended") this.#parents.delete(event.callId);
  }

  record({ call, toolName, executedInput, outcome, startedAt, durationMs }: CallRecord): void {
    this.#write(() => ({
      ...this.#callFacts("call_recorded", { ...call, toolId: call.toolId }),
      toolName,
      input: this.#redactor.value(executedInput),
      outcome: this.#outcome(outcome),
      startedAt: new Date(startedAt).toISOString(),
      durationMs,
    }));
  }

  #eventFacts(event: CellEvent): JsonObject {
    switch (event.type) {
      case "cell_started":
        return {
          ...this.#cellFacts(event),
          scope: this.#redactor.value(event.scope),
          language: event.language,
          code: this.#redactor.verbatim(event.code),
        };
      case "cell_resumed":
        return { ...this.#cellFacts(event), scope: this.#redactor.value(event.scope) };
      case "cell_result":
        return { ...this.#cellFacts(event), result: this.#result(event.result), durationMs: event.durationMs };
      case "call_started":
        return { ...this.#callFacts(event.type, event), input: this.#bounded(event.input) };
      case "call_progress":
        return {
          ...this.#callFacts(event.type, { ...event, parentToolCallId: this.#parents.get(event.callId) ?? "" }),
          update: this.#redactor.value(event.update),
        };
      case "call_ended":
        return {
          ...this.#callFacts(event.type, event),
          outcome: this.#outcome(event.outcome),
          durationMs: event.durationMs,
        };
    }
  }

  #result(result: CodeModeResult): JsonValue {
    if (!("value" in result)) return this.#redactor.value(result);
    const { value, ...rest } = result;
    return { ...(this.#redactor.value(rest) as JsonObject), value: this.#bounded(value) };
  }

  /** A redacted copy; of a value that is too large for a line only its size and its beginning. */
  #bounded(value: unknown): JsonValue {
    const text = JSON.stringify(value) ?? "null";
    if (text.length <= maxRecordedLength) return this.#redactor.value(value);
    return {
      omittedBytes: Buffer.byteLength(text),
      preview: this.#redactor.text(text.slice(0, 2 * previewLength)).slice(0, previewLength),
    };
  }

  #cellFacts(event: { readonly type: string; readonly toolCallId: string; readonly cellId: string }): JsonObject {
    return { type: event.type, id: event.toolCallId, cellId: event.cellId };
  }

  #callFacts(
    type: string,
    call: {
      readonly callId: string;
      readonly cellId: string;
      readonly toolId: string;
      readonly parentToolCallId: string;
    },
  ): JsonObject {
    const parent = call.parentToolCallId === "" ? {} : { parentId: call.parentToolCallId };
    return { type, id: call.callId, ...parent, cellId: call.cellId, toolId: call.toolId };
  }

  /** `executedInput` is the call's input once more; only the record keeps it. */
  #outcome(outcome: NestedOutcome): JsonValue {
    const { executedInput: _input, ...rest } = { executedInput: null, ...outcome };
    return this.#redactor.value(rest);
  }

  #write(buildFacts: () => JsonObject): void {
    try {
      const at = new Date(this.#options.now?.() ?? Date.now()).toISOString();
      const line = JSON.stringify({ seq: this.#sequence, at, ...buildFacts() });
      this.#sequence += 1;
      this.#options.write(line);
    } catch {
      this.failures += 1;
    }
  }
}
