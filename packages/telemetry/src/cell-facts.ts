import type { CallRecord, CellEvent, CodeModeResult, JsonObject, JsonValue, NestedOutcome } from "@code-mode/contract";
import { type RedactOptions, Redactor } from "./redact.ts";

/** Longest JSON text of one recorded value: redaction walks every string of it, on the main thread. */
const maxRecordedLength = 128 * 1024;

/** Twice as much is redacted before it is cut: a secret that the cut would split is found whole. */
const previewLength = 2048;

/**
 * Makes the redacted facts of what cells do, one object per event, in the vocabulary of the trajectory: `type` and `id`,
 * and for a nested call `parentId`, the `exec` or `wait` call it belongs to (TRJ-2). Program source stays verbatim but
 * for registered secrets. Sees the events of a cell in order.
 */
export class CellFacts {
  readonly #redactor: Redactor;
  /** Progress events do not name the parent of their call. */
  readonly #parents = new Map<string, string>();

  constructor(options: RedactOptions = {}) {
    this.#redactor = new Redactor(options);
  }

  /** The facts of an event of a cell. */
  ofEvent(event: CellEvent): JsonObject & { readonly type: string } {
    if (event.type === "call_started") this.#parents.set(event.callId, event.parentToolCallId);
    const facts = this.#eventFacts(event);
    if (event.type === "call_ended") this.#parents.delete(event.callId);
    return { type: event.type, ...facts };
  }

  /** The facts of the record of a finished call. */
  ofRecord(record: CallRecord): JsonObject & { readonly type: string } {
    const { call, toolName, executedInput, outcome, startedAt, durationMs } = record;
    return {
      type: "call_recorded",
      ...this.#callFacts(call),
      toolName,
      input: this.#bounded(executedInput),
      outcome: this.#outcome(outcome),
      startedAt: new Date(startedAt).toISOString(),
      durationMs,
    };
  }

  #eventFacts(event: CellEvent): JsonObject {
    switch (event.type) {
      case "cell_started":
        return {
          ...this.#cellFacts(event),
          scope: this.#redactor.value(event.scope),
          language: event.language,
          code: this.#redactor.source(event.code),
        };
      case "cell_resumed":
        return { ...this.#cellFacts(event), scope: this.#redactor.value(event.scope) };
      case "cell_result":
        return { ...this.#cellFacts(event), result: this.#result(event.result), durationMs: event.durationMs };
      case "call_started":
        return { ...this.#callFacts(event), input: this.#bounded(event.input) };
      case "call_progress":
        return {
          ...this.#callFacts({ ...event, parentToolCallId: this.#parents.get(event.callId) ?? "" }),
          update: this.#redactor.value(event.update),
        };
      case "call_ended":
        return {
          ...this.#callFacts(event),
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

  #cellFacts(event: { readonly toolCallId: string; readonly cellId: string }): JsonObject {
    return { id: event.toolCallId, cellId: event.cellId };
  }

  #callFacts(call: Pick<CallRecord["call"], "callId" | "cellId" | "toolId" | "parentToolCallId">): JsonObject {
    const parent = call.parentToolCallId === "" ? {} : { parentId: call.parentToolCallId };
    return { id: call.callId, ...parent, cellId: call.cellId, toolId: call.toolId };
  }

  /** `executedInput` is the call's input once more; only the record keeps it. */
  #outcome(outcome: NestedOutcome): JsonValue {
    if (outcome.ok) return { ok: true, value: this.#bounded(outcome.value) };
    return this.#redactor.value(outcome);
  }
}
