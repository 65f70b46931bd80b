import type { GatewayConfig } from "../config/load-config.ts";
import type { OpenedTools } from "../open-tools.ts";
import { isCodeModeOn } from "../policy/agent-code-mode.ts";
import { toolId } from "../policy/tool-id.ts";
import { type ExplainInput, explainTools, type ToolExplanation } from "./explain-tools.ts";

/** What an agent has: whether it runs programs, the MCP servers with their states, and every tool. */
export type AgentExplanation = {
  readonly agent: string;
  readonly codeMode: boolean;
  readonly servers: readonly { readonly name: string; readonly state: string; readonly note?: string }[];
  readonly tools: readonly (ToolExplanation & { readonly description?: string })[];
};

/** Options of `explainAgent`. */
export type ExplainAgentOptions = {
  readonly config: GatewayConfig;
  readonly agentId: string;
  /** Whose rules hold beside those of the agent; see `ExplainInput`. */
  readonly scope?: ExplainInput["scope"];
  readonly tools: Pick<OpenedTools, "known" | "mcpStates">;
};

/** Explains all tools of an agent, as `codemode tools --explain` and `GET /api/tools` show it (CLI-6, GW-4). */
export function explainAgent({ config, agentId, scope, tools }: ExplainAgentOptions): AgentExplanation {
  const known = tools.known();
  const servers = tools.mcpStates();
  const descriptions = new Map(known.map((tool) => [toolId(tool), tool.description]));
  return {
    agent: agentId,
    codeMode: isCodeModeOn(agentId, config, config.codeMode),
    servers: servers.map(({ name, state, note }) => ({ name, state, ...(note === undefined ? {} : { note }) })),
    tools: explainTools({ config, agentId, scope, known, servers }).map((row) => {
      const description = descriptions.get(row.id);
      return description === undefined ? row : { ...row, description };
    }),
  };
}
