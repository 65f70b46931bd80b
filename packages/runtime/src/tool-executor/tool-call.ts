import type {
  ExecuteOptions,
  GuestError,
  JsonValue,
  NestedCall,
  NestedOutcome,
  NestedUpdate,
} from "@code-mode/contract";
import { Admission } from "./admission.ts";
import { Dispatch } from "./dispatch.ts";
import type { ExecutorParts } from "./executor-parts.ts";
import { buildRefusal, reasonOf } from "./refusals.ts";

/** One call on its way through the steps; owns its single settlement. */
export class ToolCall {
  readonly #parts: ExecutorParts;
  readonly #call: NestedCall;
  readonly #options: ExecuteOptions;
  readonly #admission: Admission;
  readonly #result: PromiseWithResolvers<NestedOutcome> = Promise.withResolvers<NestedOutcome>();
  readonly #startedAt: number;
  readonly #clockStart: number = performance.now();
  readonly #onAbort = () => this.#abort();
  #dispatch: Dispatch | undefined;
  #leaveLine: (() => void) | undefined;
  #settled = false;

  constructor(parts: ExecutorParts, call: NestedCall, options: ExecuteOptions) {
    this.#parts = parts;
    this.#call = call;
    this.#options = options;
    this.#startedAt = parts.options.now();
    this.#admission = new Admission(parts, call, {
      ...(options.tool === undefined ? {} : { tool: options.tool }),
      signal: options.signal,
      onUpdate: (update) => this.#update(update),
    });
  }

  /** Runs the call; to be called once. */
  run(): Promise<NestedOutcome> {
    const { signal } = this.#options;
    this.#parts.counters.calls += 1;
    if (signal.aborted) this.#abort();
    else {
      signal.addEventListener("abort", this.#onAbort, { once: true });
      this.#steps().then(
        (outcome) => this.#settle(outcome),
        (error: unknown) =>
          this.#settle(this.#fail(buildRefusal("tool_error", `The call failed: ${reasonOf(error)}`, this.#call))),
      );
    }
    return this.#result.promise;
  }

  async #steps(): Promise<NestedOutcome> {
    const refusal = (await this.#admission.admit()) ?? (await this.#waitInLine()) ?? this.#admission.recheck();
    if (refusal !== undefined) return this.#fail(refusal);
    return await this.#execute();
  }

  async #waitInLine(): Promise<GuestError | undefined> {
    const tool = this.#admission.tool;
    if (tool?.executionMode !== "sequential" || this.#settled) return undefined;
    const place = this.#parts.lines.enter(tool, this.#call.cellId);
    this.#leaveLine = place.leave;
    await place.turn;
    return undefined;
  }

  async #execute(): Promise<NestedOutcome> {
    const { tool, input } = this.#admission;
    if (tool === undefined || this.#settled) return this.#fail(this.#abortError());
    this.#dispatch = new Dispatch(
      this.#parts,
      { call: this.#call, tool, input },
      {
        signal: this.#options.signal,
        onUpdate: (update) => this.#update(update),
      },
    );
    return await this.#dispatch.run();
  }

  #abort(): void {
    if (this.#settled) return;
    // A tool that has ended did its work: the record must say so even if only the after-hooks were cut short.
    const outcome = this.#dispatch?.outcome ?? this.#fail(this.#abortError());
    this.#dispatch?.abandon(outcome);
    this.#settle(outcome);
  }

  #abortError(): GuestError {
    return buildRefusal("aborted", "The call was aborted because its run ended.", this.#call);
  }

  #fail(error: GuestError): NestedOutcome {
    return { ok: false, started: this.#dispatch !== undefined, error };
  }

  #settle(outcome: NestedOutcome): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#options.signal.removeEventListener("abort", this.#onAbort);
    this.#leaveLine?.();
    this.#record(outcome, this.#admission.input);
    this.#result.resolve(outcome);
  }

  #record(outcome: NestedOutcome, executedInput: JsonValue): void {
    const { options, counters } = this.#parts;
    if (options.recorder === undefined) return;
    const toolName = this.#admission.tool?.name ?? this.#call.toolId;
    const durationMs = performance.now() - this.#clockStart;
    try {
      options.recorder.record({
        call: this.#call,
        toolName,
        executedInput,
        outcome,
        startedAt: this.#startedAt,
        durationMs,
      });
      counters.recorded += 1;
    } catch (error) {
      options.log("the recorder of tool calls failed", { callId: this.#call.callId, reason: reasonOf(error) });
    }
  }

  #update(update: NestedUpdate): void {
    if (this.#settled) return;
    try {
      this.#options.onUpdate(update);
    } catch (error) {
      this.#parts.options.log("a listener of tool updates failed", {
        callId: this.#call.callId,
        reason: reasonOf(error),
      });
    }
  }
}
