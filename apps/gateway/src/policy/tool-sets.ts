import type { CodeModeTool, RunScope, ToolSet } from "@code-mode/contract";
import type { GatewayConfig } from "../config/load-config.ts";
import { effectiveTools } from "./effective-tools.ts";
import { policyLevels } from "./policy-port.ts";
import { toolId } from "./tool-id.ts";

/** Where the tools of a host come from. */
export type ToolSources = {
  /** Core and plugin tools, in catalog order. */
  readonly fixed: readonly CodeModeTool[];
  /** MCP tools now; the same object until something changes. */
  mcp(): ToolSet;
};

type CachedSet = {
  readonly mcp: ToolSet;
  readonly effective: ToolSet;
  readonly byId: ReadonlyMap<string, CodeModeTool>;
};

/**
 * The effective tools of each agent. The same object is answered until the tools change, because code mode takes
 * it as the sign that a catalog can be used again.
 */
export class ToolSets {
  readonly #config: Pick<GatewayConfig, "tools" | "agents">;
  readonly #sources: ToolSources;
  readonly #cache = new Map<string, CachedSet>();

  constructor(config: Pick<GatewayConfig, "tools" | "agents">, sources: ToolSources) {
    this.#config = config;
    this.#sources = sources;
  }

  /** What an agent may use. */
  of(scope: Pick<RunScope, "agentId">): ToolSet {
    return this.#cached(scope).effective;
  }

  /** The tool with exactly this id, if the agent may use it. */
  find(id: string, scope: Pick<RunScope, "agentId">): CodeModeTool | undefined {
    return this.#cached(scope).byId.get(id);
  }

  /** Every tool there is, before any rule. */
  known(): readonly CodeModeTool[] {
    return [...this.#sources.fixed, ...this.#sources.mcp().tools];
  }

  #cached(scope: Pick<RunScope, "agentId">): CachedSet {
    const mcp = this.#sources.mcp();
    // agents without an entry of their own share one: ids come from requests and must not fill the cache
    const key = Object.hasOwn(this.#config.agents, scope.agentId) ? scope.agentId : "";
    const cached = this.#cache.get(key);
    if (cached?.mcp === mcp) return cached;
    const tools = effectiveTools(this.known(), policyLevels(this.#config, scope));
    const visible = new Set(tools.flatMap(({ origin }) => (origin?.kind === "mcp" ? [origin.server] : [])));
    const hidden = new Set(
      mcp.tools.flatMap(({ origin }) => (origin?.kind === "mcp" && !visible.has(origin.server) ? [origin.server] : [])),
    );
    const effective = { tools, mcpServers: (mcp.mcpServers ?? []).filter(({ name }) => !hidden.has(name)) };
    const fresh = { mcp, effective, byId: new Map(tools.map((tool) => [toolId(tool), tool])) };
    this.#cache.set(key, fresh);
    return fresh;
  }
}
