import type { PolicyPort, RunScope } from "@code-mode/contract";
import type { GatewayConfig } from "../config/load-config.ts";
import { isAllowed, type PolicyLevel } from "./effective-tools.ts";

/** The rules that hold for a run: everybody's, then the agent's. */
export function policyLevels(
  config: Pick<GatewayConfig, "tools" | "agents">,
  scope?: Pick<RunScope, "agentId">,
): readonly PolicyLevel[] {
  const agents = config.agents;
  const agent = scope !== undefined && Object.hasOwn(agents, scope.agentId) ? agents[scope.agentId] : undefined;
  const everybody = { ...rulesOf(config.tools), path: "tools" };
  return scope === undefined || agent?.tools === undefined
    ? [everybody]
    : [everybody, { ...rulesOf(agent.tools), path: `agents.${scope.agentId}.tools` }];
}

/** Asks the same rules again at dispatch, so that a guessed id of a hidden tool gets nowhere. */
export function createPolicyPort(config: Pick<GatewayConfig, "tools" | "agents">): PolicyPort {
  return {
    check: ({ call, tool }) =>
      isAllowed(tool, policyLevels(config, call.scope))
        ? { allow: true }
        : { allow: false, reason: `the tool ${tool.name} is not available` },
  };
}

function rulesOf({ allow, deny }: PolicyLevel): PolicyLevel {
  return { allow, deny };
}
