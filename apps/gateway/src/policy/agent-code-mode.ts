import { type CodeModeConfig, type ResolvedCodeModeConfig, resolveCodeModeConfig } from "@code-mode/contract";
import type { GatewayConfig } from "../config/load-config.ts";

/** What an agent overrides of the code mode of all agents, if it does. */
export function codeModeOverride(
  agentId: string,
  { agents }: Pick<GatewayConfig, "agents">,
): CodeModeConfig | undefined {
  return Object.hasOwn(agents, agentId) ? agents[agentId]?.tools?.codeMode : undefined;
}

/** Whether code mode is on for an agent: it may switch it on or off for itself. */
export function isCodeModeOn(
  agentId: string,
  config: Pick<GatewayConfig, "agents">,
  base: Pick<ResolvedCodeModeConfig, "enabled">,
): boolean {
  const own = codeModeOverride(agentId, config);
  return (typeof own === "object" ? own.enabled : own) ?? base.enabled;
}

/** The code mode of each agent: the base, or the base with the agent's fields over it (CFG-5). */
export class AgentCodeModes {
  readonly #config: Pick<GatewayConfig, "agents">;
  readonly #base: ResolvedCodeModeConfig;
  readonly #resolved = new Map<string, ResolvedCodeModeConfig>();

  constructor(config: Pick<GatewayConfig, "agents">, base: ResolvedCodeModeConfig) {
    this.#config = config;
    this.#base = base;
  }

  /** The configuration that cells of this agent run with. */
  of(agentId: string): ResolvedCodeModeConfig {
    const override = codeModeOverride(agentId, this.#config);
    if (override === undefined) return this.#base;
    const known = this.#resolved.get(agentId);
    if (known !== undefined) return known;
    const overridePath = `agents.${agentId}.tools.codeMode`;
    const resolved = resolveCodeModeConfig({ ...this.#base }, { override, overridePath });
    this.#resolved.set(agentId, resolved);
    return resolved;
  }

  /** Seconds that the suspended programs of every agent live at least. */
  get shortestTtlSeconds(): number {
    const agents = Object.keys(this.#config.agents).map((id) => this.of(id).snapshotTtlSeconds);
    return Math.min(this.#base.snapshotTtlSeconds, ...agents);
  }
}
