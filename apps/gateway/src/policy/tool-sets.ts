import type { CodeModeTool, ToolSet } from "@code-mode/contract";
import { effectiveTools } from "./effective-tools.ts";
import { configuredLevels, type PolicyConfig, type PolicyScope, policyLevels, ruleOf } from "./policy-levels.ts";
import type { RunRule, RunRules } from "./run-rules.ts";
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

/** Sets kept of combinations of agent, channel, sender and session that have rules of their own. */
const maxSets = 256;

/**
 * The effective tools of each scope. The same object is answered until the tools change, because code mode takes it as
 * the sign that a catalog can be used again: scopes for which the same rules hold share one, and a run that brings rules
 * or tools of its own shares with nobody (ACT-5).
 */
export class ToolSets {
  readonly #config: PolicyConfig;
  readonly #sources: ToolSources;
  readonly #runs: RunRules | undefined;
  /** Least recently used first. */
  readonly #shared = new Map<string, CachedSet>();
  readonly #ofRun = new WeakMap<RunRule, { readonly key: string; readonly set: CachedSet }>();
  #known: { readonly mcp: ToolSet; readonly byId: ReadonlyMap<string, CodeModeTool> } | undefined;

  constructor(config: PolicyConfig, sources: ToolSources, runs?: RunRules) {
    this.#config = config;
    this.#sources = sources;
    this.#runs = runs;
  }

  /** What a run may use. */
  of(scope: PolicyScope): ToolSet {
    return this.#cached(scope).effective;
  }

  /** The tool with exactly this id, if the run may use it. */
  find(id: string, scope: PolicyScope): CodeModeTool | undefined {
    return this.#cached(scope).byId.get(id);
  }

  /** The tool with exactly this id, before any rule: the host's, or one that the client of this very run brought. */
  resolve(id: string, scope: PolicyScope): CodeModeTool | undefined {
    const mcp = this.#sources.mcp();
    if (this.#known?.mcp !== mcp) this.#known = { mcp, byId: byIdOf(this.known()) };
    const own = ruleOf(this.#runs, scope)?.clientTools?.find((tool) => toolId(tool) === id);
    return own ?? this.#known.byId.get(id);
  }

  /** Every tool there is, before any rule. */
  known(): readonly CodeModeTool[] {
    return [...this.#sources.fixed, ...this.#sources.mcp().tools];
  }

  #cached(scope: PolicyScope): CachedSet {
    const rule = ruleOf(this.#runs, scope);
    if (rule === undefined || isEmpty(rule)) return this.#sharedSet(scope);
    const mcp = this.#sources.mcp();
    const key = keyOf(this.#config, scope);
    const cached = this.#ofRun.get(rule);
    if (cached?.key === key && cached.set.mcp === mcp) return cached.set;
    const tools = rule.disableTools === true ? [] : [...this.known(), ...(rule.clientTools ?? [])];
    const set = buildSet(mcp, effectiveTools(tools, policyLevels(this.#config, scope, this.#runs)));
    this.#ofRun.set(rule, { key, set });
    return set;
  }

  #sharedSet(scope: PolicyScope): CachedSet {
    const mcp = this.#sources.mcp();
    const key = keyOf(this.#config, scope);
    const cached = this.#shared.get(key);
    const set =
      cached?.mcp === mcp ? cached : buildSet(mcp, effectiveTools(this.known(), configuredLevels(this.#config, scope)));
    this.#shared.delete(key);
    this.#shared.set(key, set);
    for (const oldest of this.#shared.keys()) {
      if (this.#shared.size <= maxSets) break;
      this.#shared.delete(oldest);
    }
    return set;
  }
}

/** Scopes with the same rules share a set: ids come from requests and must not fill the cache. */
function keyOf(config: PolicyConfig, scope: PolicyScope): string {
  return JSON.stringify(configuredLevels(config, scope).map(({ path }) => path));
}

function isEmpty({ request, disableTools, clientTools = [] }: RunRule): boolean {
  const narrows = request?.allow !== undefined || (request?.deny?.length ?? 0) > 0;
  return !narrows && disableTools !== true && clientTools.length === 0;
}

/** A server none of whose tools may be used is not named either. */
function buildSet(mcp: ToolSet, tools: readonly CodeModeTool[]): CachedSet {
  const visible = new Set(tools.flatMap(serverOf));
  const hidden = new Set(mcp.tools.flatMap(serverOf).filter((server) => !visible.has(server)));
  const mcpServers = (mcp.mcpServers ?? []).filter(({ name }) => !hidden.has(name));
  return { mcp, effective: { tools, mcpServers }, byId: byIdOf(tools) };
}

function serverOf({ origin }: CodeModeTool): string[] {
  return origin?.kind === "mcp" ? [origin.server] : [];
}

function byIdOf(tools: readonly CodeModeTool[]): ReadonlyMap<string, CodeModeTool> {
  return new Map(tools.map((tool) => [toolId(tool), tool]));
}
