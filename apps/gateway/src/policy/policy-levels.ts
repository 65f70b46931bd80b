import type { RunScope } from "@code-mode/contract";
import type { GatewayConfig } from "../config/load-config.ts";
import type { PolicyLevel, PolicyLevelName } from "./effective-tools.ts";
import type { RunRules } from "./run-rules.ts";
import { sandboxGate } from "./sandbox-gate.ts";

/** What rules are chosen by; what is absent has no rules of its own. */
export type PolicyScope = Pick<RunScope, "agentId"> & Partial<Omit<RunScope, "agentId">>;

/** The part of a configuration that holds rules. */
export type PolicyConfig = Pick<GatewayConfig, "tools" | "agents">;

/**
 * The rules of the configuration that hold in a scope, outermost first: everybody's, the agent's, those of channel,
 * sender and session, and the gate of a sandboxed session.
 */
export function configuredLevels(config: PolicyConfig, scope?: PolicyScope): readonly PolicyLevel[] {
  const { tools, agents } = config;
  const everybody = levelOf("global", "tools", tools);
  if (scope === undefined) return [everybody];
  const { agentId, channel, sender, sessionId } = scope;
  const own: readonly (PolicyLevel | undefined)[] = [
    levelFor("agent", `agents.${agentId}.tools`, ownOf(agents, agentId)?.tools),
    levelFor("channel", `tools.channels.${channel}`, ownOf(tools.channels, channel)),
    levelFor("sender", `tools.senders.${sender}`, ownOf(tools.senders, sender)),
    levelFor("session", `tools.sessions.${sessionId}`, ownOf(tools.sessions, sessionId)),
    sandboxGate(config, scope),
  ];
  return [everybody, ...own.filter((level) => level !== undefined)];
}

/** The rules that hold for a run: the configuration's, then those that came with its request (POL-1). */
export function policyLevels(config: PolicyConfig, scope?: PolicyScope, runs?: RunRules): readonly PolicyLevel[] {
  const levels = configuredLevels(config, scope);
  const request = scope === undefined ? undefined : ruleOf(runs, scope)?.request;
  return request === undefined ? levels : [...levels, levelOf("request", "the request's tools", request)];
}

/** What an agent run brought with it. */
export function ruleOf(runs: RunRules | undefined, { agentRunId }: PolicyScope): ReturnType<RunRules["of"]> {
  return agentRunId === undefined ? undefined : runs?.of({ agentRunId });
}

function levelFor(level: PolicyLevelName, path: string, rules: PolicyLevel | undefined): PolicyLevel | undefined {
  return rules === undefined ? undefined : levelOf(level, path, rules);
}

function levelOf(level: PolicyLevelName, path: string, { allow, deny }: PolicyLevel): PolicyLevel {
  return { level, path, allow, deny };
}

/** Own keys only: ids come from requests, and `constructor` is none. */
function ownOf<T>(table: { readonly [id: string]: T } | undefined, id: string | undefined): T | undefined {
  return table !== undefined && id !== undefined && Object.hasOwn(table, id) ? table[id] : undefined;
}
