import type { ResolvedCodeModeConfig } from "@code-mode/contract";
import type { GatewayConfig } from "../config/load-config.ts";

/** Whether code mode is on for an agent: it may switch it on or off for itself (CFG-5). */
export function isCodeModeOn(
  agentId: string,
  { agents }: Pick<GatewayConfig, "agents">,
  base: Pick<ResolvedCodeModeConfig, "enabled">,
): boolean {
  const own = Object.hasOwn(agents, agentId) ? agents[agentId]?.tools?.codeMode : undefined;
  return (typeof own === "object" ? own.enabled : own) ?? base.enabled;
}
