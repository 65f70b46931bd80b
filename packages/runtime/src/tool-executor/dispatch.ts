import type { ExecuteOptions, GuestError, JsonValue, NestedOutcome, ToolRequest } from "@code-mode/contract";
import { buildHookEvent } from "./admission.ts";
import { hookTimeLimitMs } from "./ask-before-hook.ts";
import { buildToolContext } from "./build-tool-context.ts";
import { cloneJson } from "./clone-json.ts";
import type { ExecutorParts } from "./executor-parts.ts";
import { guestErrorOf } from "./guest-error-of.ts";
import { buildRefusal, reasonOf } from "./refusals.ts";
import { settleWithin } from "./settle-within.ts";
import { toReplyValue } from "./to-reply-value.ts";

/** Larger outputs are not checked: the check only warns, and the main thread must stay free. */
const maxCheckedOutputBytes = 256 * 1024;

/** Runs the tool of an admitted call and what comes right after it. */
export class Dispatch {
  readonly #parts: ExecutorParts;
  readonly #request: ToolRequest;
  readonly #options: ExecuteOptions;
  #abandoned = false;
  /** How the tool ended, once it has. */
  outcome: NestedOutcome | undefined;

  constructor(parts: ExecutorParts, request: ToolRequest, options: ExecuteOptions) {
    this.#parts = parts;
    this.#request = request;
    this.#options = options;
  }

  /** Runs tool and after-hooks. Never rejects. */
  async run(): Promise<NestedOutcome> {
    const outcome = await this.#runTool();
    if (this.#abandoned) {
      this.#parts.counters.late += 1;
      this.#note("a tool ended after its call had been aborted; its result was dropped", {});
      return outcome;
    }
    this.outcome = outcome;
    if (this.#parts.options.hooks !== undefined) await this.#runAfterHooks(outcome);
    return outcome;
  }

  /** The call was aborted: whatever the tool still returns is dropped; the after-hooks learn how the call ended. */
  abandon(outcome: NestedOutcome): void {
    this.#abandoned = true;
    if (this.outcome === undefined && this.#parts.options.hooks !== undefined) void this.#runAfterHooks(outcome);
  }

  async #runTool(): Promise<NestedOutcome> {
    const { tool, call, input } = this.#request;
    const context = buildToolContext(call, {
      signal: this.#options.signal,
      onUpdate: (update) => this.#options.onUpdate(update),
      log: (message, facts) => this.#parts.options.log(message, facts),
    });
    this.#parts.counters.started += 1;
    this.#options.onUpdate({ type: "started" });
    if (this.#abandoned)
      return this.#failed(buildRefusal("aborted", "The call was aborted before its tool began.", call));
    try {
      // A copy: a tool that edits its input in place must not change what is recorded.
      return this.#reply(await tool.execute(cloneJson(input), context));
    } catch (error) {
      return this.#failed(guestErrorOf(error, call.toolId));
    }
  }

  #reply(returned: unknown): NestedOutcome {
    if (this.#abandoned) return { ok: true, value: null, executedInput: this.#request.input };
    const { call, tool, input } = this.#request;
    const reply = toReplyValue(returned, this.#parts.options.maxReplyBytes(call.scope));
    if (!reply.ok)
      return this.#failed(
        buildRefusal("tool_error", `${tool.name} ran, but its result cannot be delivered: ${reply.problem}.`, {
          toolId: call.toolId,
          details: reply.details,
        }),
      );
    if (reply.bytes <= maxCheckedOutputBytes) this.#checkOutput(reply.value);
    return { ok: true, value: reply.value, executedInput: input };
  }

  /** Warns only: the work is done, and a wrong declaration must not cost the guest its result. */
  #checkOutput(value: JsonValue): void {
    const { tool } = this.#request;
    // The outputSchema of an MCP tool describes a part of its native result, and its client checks that.
    if (tool.origin?.kind === "mcp" || tool.origin?.kind === "client") return;
    const check = this.#parts.validator.checkOutput(tool, value);
    if (check.type === "invalid")
      this.#note("a tool returned something other than its outputSchema says", {
        problem: check.problems[0]?.text ?? "",
      });
  }

  #failed(error: GuestError): NestedOutcome {
    return { ok: false, started: true, error };
  }

  async #runAfterHooks(outcome: NestedOutcome): Promise<void> {
    const { hooks } = this.#parts.options;
    if (hooks === undefined) return;
    const { call, tool, input } = this.#request;
    const event = { ...buildHookEvent(call, tool, cloneJson(input)), outcome };
    const result = await settleWithin(async () => hooks.after(event, call.scope), hookTimeLimitMs);
    if (result.type === "late")
      this.#note("an after_tool_call hook took too long and was ignored", { limitMs: hookTimeLimitMs });
    if (result.type === "failed")
      this.#note("an after_tool_call hook failed and was ignored", { reason: reasonOf(result.error) });
  }

  #note(message: string, facts: Record<string, string | number>): void {
    const { call } = this.#request;
    this.#parts.options.log(message, { ...facts, toolId: call.toolId, callId: call.callId });
  }
}
