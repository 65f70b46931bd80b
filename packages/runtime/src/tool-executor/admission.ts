import type {
  CodeModeTool,
  ExecuteOptions,
  GuestError,
  HookEvent,
  JsonValue,
  NestedCall,
  ToolRequest,
} from "@code-mode/contract";
import { askApproval, buildStaleGrant, isGrantGood, needsApproval } from "./ask-approval.ts";
import { askBeforeHook } from "./ask-before-hook.ts";
import { cloneJson } from "./clone-json.ts";
import type { ExecutorParts } from "./executor-parts.ts";
import { buildRefusal, buildUnknownTool, reasonOf } from "./refusals.ts";
import { isReplaySafe } from "./replay-safe.ts";
import { hasSameDefinition } from "./same-definition.ts";
import { unpackJsonStrings } from "./unpack-json-strings.ts";

/** Decides whether a call may run, and with which input: every step of NEST-4 before the execution. */
export class Admission {
  readonly #parts: ExecutorParts;
  readonly #call: NestedCall;
  readonly #options: ExecuteOptions;
  #grant: { readonly approvalId: string | undefined } | undefined;
  /** The tool, once resolved. */
  tool: CodeModeTool | undefined;
  /** What will run: the input of the call until a hook rewrites it. */
  input: JsonValue;

  constructor(parts: ExecutorParts, call: NestedCall, options: ExecuteOptions) {
    this.#parts = parts;
    this.#call = call;
    this.#options = options;
    this.input = call.input;
  }

  /** Why the call may not run, or nothing. */
  async admit(): Promise<GuestError | undefined> {
    const tool = this.#parts.options.resolveTool(this.#call.toolId, this.#call.scope);
    if (tool === undefined) return buildUnknownTool(this.#call.toolId);
    this.tool = tool;
    return (
      this.#checkPolicy(tool) ??
      this.#checkDefinition(this.#options.tool, tool) ??
      this.#checkReplay(tool) ??
      (await this.#askHooks(tool)) ??
      this.#checkInput(tool) ??
      (await this.#askHuman(tool))
    );
  }

  /** Policy and grant once more, right before execution: both may have changed while hooks, humans and queues took their time. */
  recheck(): GuestError | undefined {
    const tool = this.tool;
    if (tool === undefined) return buildUnknownTool(this.#call.toolId);
    const current = this.#parts.options.resolveTool(this.#call.toolId, this.#call.scope);
    if (current === undefined) return buildUnknownTool(this.#call.toolId);
    const refusal = this.#checkPolicy(tool);
    if (refusal !== undefined) return refusal;
    // the grant is for what was shown: asked about the tool as it is now, a changed one has none
    const request = this.#request(current);
    if (this.#grant !== undefined && !isGrantGood(this.#parts.options.approvals, request, this.#grant.approvalId))
      return buildStaleGrant(request);
    const changed = this.#checkDefinition(tool, current);
    if (changed === undefined) this.tool = current;
    return changed;
  }

  /** A tool must be what the program, the hooks and the human took it for. */
  #checkDefinition(known: CodeModeTool | undefined, current: CodeModeTool): GuestError | undefined {
    if (known === undefined || hasSameDefinition(known, current)) return undefined;
    const { toolId } = this.#call;
    this.#parts.options.log("a tool changed its definition under a program, so the call was refused", { toolId });
    const text = `${known.name} changed its definition since this program began, so the call did not run. A new exec sees the new definition: read it there before you call it.`;
    return buildRefusal("tool_error", text, { toolId, details: { reason: "definition_changed" } });
  }

  #request(tool: CodeModeTool): ToolRequest {
    return { call: this.#call, tool, input: this.input };
  }

  #checkPolicy(tool: CodeModeTool): GuestError | undefined {
    const { policy, log } = this.#parts.options;
    if (policy === undefined) return undefined;
    try {
      const verdict = policy.check(this.#request(tool));
      if (verdict.allow === true) return undefined;
      log("a tool call was denied", { toolId: this.#call.toolId, callId: this.#call.callId, reason: verdict.reason });
    } catch (error) {
      log("the policy check failed, so the call was denied", { toolId: this.#call.toolId, reason: reasonOf(error) });
    }
    return buildUnknownTool(this.#call.toolId);
  }

  #checkReplay(tool: CodeModeTool): GuestError | undefined {
    if (!this.#call.restartSafe || isReplaySafe(tool)) return undefined;
    const text = `${tool.name} may have side effects, so a restartSafe program cannot call it. Call it from a program without restartSafe.`;
    return buildRefusal("not_replay_safe", text, this.#call);
  }

  async #askHooks(tool: CodeModeTool): Promise<GuestError | undefined> {
    const { hooks } = this.#parts.options;
    if (hooks === undefined) return undefined;
    this.#parts.counters.hooked += 1;
    const event = buildHookEvent(this.#call, tool, cloneJson(this.input));
    const answer = await askBeforeHook(hooks, { event, scope: this.#call.scope, signal: this.#options.signal });
    if (answer.type === "rewritten") this.input = answer.input;
    return answer.type === "blocked"
      ? buildRefusal("blocked_by_hook", `${tool.name} was blocked: ${answer.reason}`, this.#call)
      : undefined;
  }

  #checkInput(tool: CodeModeTool): GuestError | undefined {
    const { validator, counters, options } = this.#parts;
    const check = validator.checkInput(tool, this.input);
    if (check.type === "valid") {
      counters.validated += 1;
      return undefined;
    }
    if (check.type === "unchecked") {
      counters.unchecked += 1;
      options.log("the input schema of a tool cannot be checked", { toolId: this.#call.toolId });
      return undefined;
    }
    counters.validated += 1;
    const unpacked = unpackJsonStrings(tool, this.input);
    if (unpacked !== undefined && validator.checkInput(tool, unpacked).type === "valid") {
      this.input = unpacked;
      return undefined;
    }
    const text = `Invalid input for ${tool.name}: ${check.problems.map((problem) => problem.text).join(" ")}`;
    return buildRefusal("invalid_tool_input", text, {
      toolId: this.#call.toolId,
      details: { path: check.problems[0]?.path ?? "input" },
    });
  }

  async #askHuman(tool: CodeModeTool): Promise<GuestError | undefined> {
    const { approvals } = this.#parts.options;
    const request = this.#request(tool);
    if (this.#options.signal.aborted || !needsApproval(approvals, request)) return undefined;
    const answer = await askApproval(approvals, request, {
      signal: this.#options.signal,
      onPending: (approvalId) => this.#options.onUpdate({ type: "awaiting_approval", approvalId }),
    });
    if (answer.type === "refused") return answer.error;
    this.#grant = answer;
    return undefined;
  }
}

/** A call as hooks see it. */
export function buildHookEvent(call: NestedCall, tool: CodeModeTool, input: JsonValue): HookEvent {
  const event = { toolId: call.toolId, toolName: tool.name, input };
  return call.parentToolCallId === "" ? event : { ...event, parentToolCallId: call.parentToolCallId };
}
