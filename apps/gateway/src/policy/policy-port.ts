import type { PolicyPort } from "@code-mode/contract";
import { findRefusal, type PolicyLevelName } from "./effective-tools.ts";
import { type PolicyConfig, policyLevels, ruleOf } from "./policy-levels.ts";
import type { RunRules } from "./run-rules.ts";

export { policyLevels } from "./policy-levels.ts";

/** A call of a tool that the rules do not admit, for trajectory and audit; the caller only learns that the id is unknown. */
export type PolicyDenied = {
  readonly type: "policy_denied";
  readonly sessionId: string;
  readonly agentRunId: string;
  readonly cellId: string;
  readonly callId: string;
  readonly parentToolCallId: string;
  readonly toolId: string;
  readonly level: PolicyLevelName;
  /** The key of the configuration that decided. */
  readonly key: string;
  readonly rule?: string;
};

/** Options of `createPolicyPort`. */
export type PolicyPortOptions = {
  readonly runs?: RunRules;
  /** Hears of every call that was refused; must not throw. */
  onDenied?(denied: PolicyDenied): void;
};

/** Asks the same rules again at dispatch, so that a guessed id of a hidden tool gets nowhere. */
export function createPolicyPort(config: PolicyConfig, { runs, onDenied }: PolicyPortOptions = {}): PolicyPort {
  return {
    check({ call, tool }) {
      const { scope, cellId, callId, parentToolCallId, toolId } = call;
      const refusal =
        ruleOf(runs, scope)?.disableTools === true
          ? { level: "request" as const, key: "disableTools of the request" }
          : findRefusal(tool, policyLevels(config, scope, runs));
      if (refusal === undefined) return { allow: true };
      const { sessionId, agentRunId } = scope;
      onDenied?.({
        type: "policy_denied",
        ...{ sessionId, agentRunId, cellId, callId, parentToolCallId, toolId },
        ...refusal,
      });
      return { allow: false, reason: `the tool ${tool.name} is not available (${refusal.key})` };
    },
  };
}
