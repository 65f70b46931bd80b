import { randomBytes } from "node:crypto";
import {
  CodeModeError,
  type CodeModeOutput,
  type CodeModeResult,
  type CodeModeTool,
  type JsonValue,
  type ModelTool,
  type RunScope,
  type ToolContext,
} from "@code-mode/contract";
import type { OpenClientTools } from "../turns/client-tools-port.ts";
import type { ClientToolDefinition } from "../turns/turn.ts";

/** One call that the client has to answer. The id is unguessable: who knows it may answer (GW-2). */
export type ClientCall = { readonly toolCallId: string; readonly name: string; readonly input: JsonValue };

/** The client's answer to one call. */
export type ClientAnswer = { readonly toolCallId: string; readonly output: JsonValue };

type OpenCall = ClientCall & { settle(output: JsonValue): void };

/** Options of `ClientRun`. */
export type ClientRunOptions = {
  readonly scope: RunScope;
  readonly definitions: readonly ClientToolDefinition[];
  /** How long a client may take to answer; then its calls reject, catchably. */
  readonly answerTtlMs: number;
  /** Called when the run is over. */
  onClose(): void;
};

/**
 * The client's tools in one agent run. Calls that start together go to the client as one batch; the next batch is made
 * when that one is answered, because a client answers a set of calls with one request.
 */
export class ClientRun implements OpenClientTools {
  readonly scope: RunScope;
  readonly tools: readonly CodeModeTool[];
  readonly #answerTtlMs: number;
  readonly #queued = new Map<string, OpenCall>();
  readonly #sent = new Map<string, OpenCall>();
  readonly #listeners = new Set<(calls: readonly ClientCall[]) => void>();
  readonly #onClose: () => void;
  #gathering = false;

  constructor({ scope, definitions, answerTtlMs, onClose }: ClientRunOptions) {
    this.#onClose = onClose;
    this.scope = scope;
    this.#answerTtlMs = answerTtlMs;
    this.tools = definitions.map(({ name, description = "", parameters }) => ({
      name,
      description,
      ...(parameters === undefined ? {} : { parameters }),
      origin: { kind: "client", app: "app" },
      execute: (input, context) => this.#ask(name, input, context),
    }));
  }

  /** The run is over; whatever was still asked is aborted by its end. */
  close(): void {
    this.#onClose();
  }

  /** The calls that are with the client now. */
  get batch(): readonly ClientCall[] {
    return [...this.#sent.values()].map(({ toolCallId, name, input }) => ({ toolCallId, name, input }));
  }

  /** Hears each batch when it is complete, until the returned function is called. */
  onBatch(listener: (calls: readonly ClientCall[]) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Whether these are answers to the whole batch, each once. */
  isWholeBatch(ids: readonly string[]): boolean {
    return ids.length === this.#sent.size && new Set(ids).size === ids.length && ids.every((id) => this.#sent.has(id));
  }

  /** Hands the answers of a whole batch to the calls that wait for them. */
  answer(answers: readonly ClientAnswer[]): void {
    for (const { toolCallId, output } of answers) this.#sent.get(toolCallId)?.settle(output);
    this.#gather();
  }

  /**
   * Keeps an exec or wait call of the model open while its program waits for the client: to the model the client's
   * answer arrives inside the same call, as that of every other tool does.
   */
  hold(tools: readonly ModelTool[]): readonly ModelTool[] {
    const wait = tools.find(({ kind, name }) => kind === "control" && name === "wait");
    if (wait === undefined) return tools;
    return tools.map((tool) =>
      tool.kind === "control"
        ? { ...tool, call: (input, options) => this.#held(tool, wait, { input, options }) }
        : tool,
    );
  }

  async #held(
    control: ModelTool,
    wait: ModelTool,
    { input, options }: { input: unknown; options: Parameters<ModelTool["call"]>[1] },
  ): Promise<unknown> {
    let result = (await control.call(input, options)) as CodeModeResult;
    const output: CodeModeOutput[] = [...(result.output ?? [])];
    while (result.status === "waiting" && this.#isAwaited(result)) {
      result = (await wait.call({ runId: result.runId }, options)) as CodeModeResult;
      output.push(...(result.output ?? []));
    }
    return output.length === 0 ? result : { ...result, output };
  }

  #isAwaited({ pendingToolCalls = [] }: CodeModeResult & { status: "waiting" }): boolean {
    return pendingToolCalls.some(({ id, status }) => id.startsWith("client:") && status === "running");
  }

  #ask(name: string, input: JsonValue, { signal }: ToolContext): Promise<JsonValue> {
    const { promise, resolve, reject } = Promise.withResolvers<JsonValue>();
    const toolCallId = `call_${randomBytes(18).toString("base64url")}`;
    const forget = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      this.#queued.delete(toolCallId);
      this.#sent.delete(toolCallId);
    };
    const onAbort = (): void => {
      forget();
      reject(new CodeModeError("aborted", `the call of ${name} was aborted before the client answered.`));
    };
    const timer = setTimeout(() => {
      forget();
      reject(
        new CodeModeError(
          "timeout",
          `the client did not answer the call of ${name} within ${Math.round(this.#answerTtlMs / 1000)} s.`,
        ),
      );
      this.#gather();
    }, this.#answerTtlMs);
    signal.addEventListener("abort", onAbort, { once: true });
    const settle = (output: JsonValue): void => {
      forget();
      resolve(output);
    };
    this.#queued.set(toolCallId, { toolCallId, name, input, settle });
    this.#gather();
    return promise;
  }

  /** Two turns of the event loop: the calls of one drain pass their hooks and checks side by side. */
  #gather(): void {
    if (this.#gathering || this.#queued.size === 0 || this.#sent.size > 0) return;
    this.#gathering = true;
    setImmediate(() =>
      setImmediate(() => {
        this.#gathering = false;
        if (this.#sent.size > 0 || this.#queued.size === 0) return;
        for (const [id, call] of this.#queued) this.#sent.set(id, call);
        this.#queued.clear();
        const { batch } = this;
        for (const listener of [...this.#listeners]) listener(batch);
      }),
    );
  }
}
