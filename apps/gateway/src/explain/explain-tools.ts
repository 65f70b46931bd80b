import { buildCatalog } from "@code-mode/catalog";
import type { CodeModeTool, GuestCatalogData } from "@code-mode/contract";
import type { McpServerStatus } from "@code-mode/mcp";
import { activate } from "@code-mode/surface";
import type { GatewayConfig } from "../config/load-config.ts";
import { ImageAgents } from "../core-tools/image-agents.ts";
import { effectiveTools, findRefusal, type PolicyRefusal } from "../policy/effective-tools.ts";
import { matchesRule } from "../policy/match-rule.ts";
import { type PolicyScope, policyLevels } from "../policy/policy-levels.ts";
import { sandboxAdvice, serversBehindGate } from "../policy/sandbox-gate.ts";
import { toolId } from "../policy/tool-id.ts";
import { callPaths, noConvenience } from "./call-paths.ts";

/** What becomes of a tool in a run of an agent. */
export type ToolState = "visible" | "direct-only" | "denied" | "unavailable";

/** One known tool, or all tools of a server that has none to show, with what becomes of it and why (CLI-6). */
export type ToolExplanation = {
  readonly id: string;
  readonly name: string;
  readonly state: ToolState;
  /** The expression that calls it from a program. */
  readonly call?: string;
  /** Why it is not visible, or what to know about it. */
  readonly reason?: string;
  /** The rule that denies it. */
  readonly deniedBy?: PolicyRefusal;
};

/** What is explained: the tools before any rule, and the servers with their states. */
export type ExplainInput = {
  readonly config: GatewayConfig;
  readonly agentId: string;
  /** Whose rules hold beside those of the agent. Default: session `main`, which is not sandboxed by `non-main`. */
  readonly scope?: Pick<PolicyScope, "sessionId" | "sender" | "channel"> | undefined;
  readonly known: readonly CodeModeTool[];
  readonly servers: readonly McpServerStatus[];
};

/**
 * Says for every known tool whether an agent has it with code mode on, and why not; catalog order, then servers without tools.
 * @throws CodeModeError `invalid_input` when the tools make no catalog, which would stop a run too
 */
export function explainTools(input: ExplainInput): readonly ToolExplanation[] {
  const { config, agentId, known, servers } = input;
  const scope = { sessionId: "main", ...input.scope, agentId };
  const levels = policyLevels(config, scope);
  const admitted = effectiveTools(known, levels);
  const mcpServers = servers.map(({ name, state }) => ({ name, state }));
  const activation = activate({ enabled: true, toolSet: { tools: admitted, mcpServers } });
  const guest =
    activation.mode === "code"
      ? (JSON.parse(buildCatalog(activation.toolSet).guestText) as GuestCatalogData)
      : undefined;
  const calls = guest === undefined ? new Map<string, string>() : callPaths(guest, admitted);
  const images = new ImageAgents(config);
  const explain = (tool: CodeModeTool): ToolExplanation => {
    const base = { id: toolId(tool), name: tool.name };
    const refusal = findRefusal(tool, levels);
    if (refusal !== undefined) return { ...base, state: "denied", deniedBy: refusal, reason: describeRefusal(refusal) };
    if (images.admit(tool, { agentId }) === undefined)
      return {
        ...base,
        state: "unavailable",
        reason: `the model of agent ${agentId} takes no images (models.providers.<provider>.models.<model>.input)`,
      };
    if (guest === undefined) return { ...base, state: "visible", ...reasonOf(problemsOf(tool, servers)) };
    if (tool.catalogMode === "direct-only")
      return { ...base, state: "direct-only", reason: directReason(tool, config) };
    const call = calls.get(base.id);
    if (call === undefined)
      return { ...base, state: "unavailable", reason: "it is a control of Tool Search, which code mode replaces" };
    const notes = [noConvenience(tool, guest, admitted), ...problemsOf(tool, servers)];
    return { ...base, state: "visible", call, ...reasonOf(notes) };
  };
  const gated = serversBehindGate(config, scope, { known, servers: servers.map(({ name }) => name) });
  return [...known.map(explain), ...servers.flatMap((server) => serverRows(server, known, gated))];
}

function reasonOf(notes: readonly (string | undefined)[]): { reason?: string } {
  const said = notes.filter((note) => note !== undefined);
  return said.length === 0 ? {} : { reason: said.join("; ") };
}

function describeRefusal({ level, key, rule }: PolicyRefusal): string {
  const why = rule === undefined ? `no rule of ${key} admits it` : `${key}: ${JSON.stringify(rule)}`;
  if (level !== "sandbox") return why;
  return rule === undefined
    ? `${why} (the session is sandboxed; ${sandboxAdvice})`
    : `${why} (the session is sandboxed)`;
}

function directReason(tool: CodeModeTool, { mcpServer }: GatewayConfig): string {
  const overMcp = mcpServer.directTools.some((rule) => matchesRule(tool, rule));
  return `the model calls it itself, programs cannot; MCP clients ${overMcp ? "see it" : "do not see it (mcpServer.directTools)"}`;
}

function problemsOf({ name, origin }: CodeModeTool, servers: readonly McpServerStatus[]): readonly string[] {
  if (origin?.kind !== "mcp") return [];
  const server = servers.find((candidate) => candidate.name === origin.server);
  const problems = (server?.problems ?? []).filter(({ tool }) => tool === name).map(({ problem }) => problem);
  const change = server?.changes.find(({ tool }) => tool === name);
  if (change === undefined) return problems;
  return [...problems, `it changed its ${change.fields.join(" and ")} since its server was first asked`];
}

const stateWords = { starting: "is still starting", failed: "failed", needs_login: "needs a login" } as const;

/** A server that is not ready has tools nobody knows, and a ready one may have left some out. */
function serverRows(
  server: McpServerStatus,
  known: readonly CodeModeTool[],
  gated: ReadonlyMap<string, string>,
): readonly ToolExplanation[] {
  const row = (reason: string): ToolExplanation => ({
    id: toolId({ name: "*", description: "", origin: { kind: "mcp", server: server.name }, execute: () => undefined }),
    name: "*",
    state: "unavailable",
    reason,
  });
  const hasTools = known.some(({ origin }) => origin?.kind === "mcp" && origin.server === server.name);
  const notReady =
    server.state === "ready" || hasTools
      ? []
      : [
          row(
            `MCP server ${server.name} ${stateWords[server.state]}${server.note === undefined ? "" : `: ${server.note}`}`,
          ),
        ];
  const leftOut = server.problems.filter(({ tool }) => tool === undefined).map(({ problem }) => row(problem));
  const gate = hasTools ? undefined : gated.get(server.name);
  return [...notReady, ...(gate === undefined ? [] : [row(gate)]), ...leftOut];
}
