import type { CodeModeTool } from "@code-mode/contract";
import { findRefusal, type PolicyLevel } from "./effective-tools.ts";
import { mcpPluginId } from "./match-rule.ts";
import type { PolicyConfig, PolicyScope } from "./policy-levels.ts";

/** What an unset allow list admits: MCP servers run outside of any sandbox; tools of a client run at the client. */
const admittedByDefault: readonly string[] = ["group:core", "group:plugins", "client:*"];

/** The id of the main session of the main agent. */
const mainId = "main";

/**
 * Whether the sandbox's rules hold in a scope (POL-2). `non-main` spares what the owner of this gateway does here: session
 * `main` of agent `main` and programs of `codemode exec`; every other session and every other agent is sandboxed.
 */
export function isSandboxed({ agents }: Pick<PolicyConfig, "agents">, scope: PolicyScope): boolean {
  const agent = Object.hasOwn(agents, scope.agentId) ? agents[scope.agentId] : undefined;
  switch (agent?.sandbox?.mode) {
    case "all":
      return true;
    case "non-main":
      return !isMain(scope);
    default:
      return false;
  }
}

/** The level that filters the tools of a sandboxed session once more; nothing for other sessions. */
export function sandboxGate(config: PolicyConfig, scope: PolicyScope): PolicyLevel | undefined {
  if (!isSandboxed(config, scope)) return undefined;
  const { allow = admittedByDefault, alsoAllow = [], deny } = config.tools.sandbox?.tools ?? {};
  return { level: "sandbox", path: "tools.sandbox.tools", allow: [...allow, ...alsoAllow], deny };
}

/** The way to show a server that the gate hides. */
export const sandboxAdvice = `tools.sandbox.tools.alsoAllow: ["${mcpPluginId}"] shows the tools of MCP servers there`;

/**
 * Configured servers that the sandbox gate hides from a scope, each with the reason; for `tools --explain` and `doctor`.
 * A server that has no tools yet counts as hidden when the gate admits none by the name of its server.
 */
export function serversBehindGate(
  config: PolicyConfig,
  scope: PolicyScope,
  { known, servers }: { readonly known: readonly CodeModeTool[]; readonly servers: readonly string[] },
): ReadonlyMap<string, string> {
  const gate = sandboxGate(config, scope);
  if (gate === undefined) return new Map();
  const isHidden = (server: string): boolean => {
    const own = known.filter(({ origin }) => origin?.kind === "mcp" && origin.server === server);
    const asked = own.length > 0 ? own : [anyToolOf(server)];
    return asked.every((tool) => findRefusal(tool, [gate]) !== undefined);
  };
  const reason = (server: string): string =>
    `the sandbox gate (tools.sandbox.tools) of agent ${scope.agentId} hides MCP server ${server}; ${sandboxAdvice}`;
  return new Map(servers.filter(isHidden).map((server) => [server, reason(server)]));
}

function isMain({ agentId, sessionId, sessionKey = "" }: PolicyScope): boolean {
  return agentId === mainId && (sessionId === mainId || sessionKey.startsWith("cli:"));
}

function anyToolOf(server: string): CodeModeTool {
  return { name: "*", description: "", origin: { kind: "mcp", server }, execute: () => undefined };
}
