import { messageOf } from "@code-mode/contract";
import type { McpServerStatus } from "@code-mode/mcp";
import type { GatewayConfig } from "../../config/load-config.ts";
import { explainAgent } from "../../explain/explain-agent.ts";
import { type OpenedTools, openTools } from "../../open-tools.ts";
import { type Check, fail, ok, warn } from "./check.ts";

const serversReadyMs = 15_000;

/** Loads the plugins and starts every MCP server, as a gateway does; says what became of each and who cannot see it. */
export async function checkTools(config: GatewayConfig, signal: AbortSignal): Promise<readonly Check[]> {
  let tools: OpenedTools;
  try {
    tools = await openTools({ config });
  } catch (error) {
    return [fail("plugins", messageOf(error), "The gateway does not start like this.")];
  }
  try {
    await tools.settled(serversReadyMs, signal);
    const plugins = config.plugins.length === 0 ? [] : [ok("plugins", tools.plugins.ids.join(", "))];
    return [...plugins, ...tools.mcpStates().flatMap((server) => serverChecks(server, { config, tools }))];
  } finally {
    await tools[Symbol.asyncDispose]();
  }
}

type Opened = { readonly config: GatewayConfig; readonly tools: OpenedTools };

function serverChecks(server: McpServerStatus, opened: Opened): readonly Check[] {
  const name = `mcp ${server.name}`;
  const note = server.note === undefined ? "" : `: ${server.note}`;
  if (server.state === "failed")
    return [fail(name, `failed${note}`, "Correct command, args or url of the server, or set disabled: true.")];
  if (server.state === "needs_login")
    return [
      warn(name, `needs a login${note}`, "Log in with the server's own client, or set its Authorization header."),
    ];
  if (server.state === "starting")
    return [warn(name, "did not get ready within 15 seconds", "Run its command by hand to see what it waits for.")];
  return [ok(name, `ready, ${server.tools} tools`), ...defects(name, server), ...hidden(name, server, opened)];
}

function defects(name: string, { problems, changes }: McpServerStatus): readonly Check[] {
  const found = problems.map(({ tool, problem }) =>
    warn(name, `${tool === undefined ? "" : `${tool}: `}${problem}`, "Report it to the author of the server."),
  );
  const changed = changes.map(({ tool, fields }) =>
    warn(
      name,
      `${tool} changed its ${fields.join(" and ")} since the server was first asked`,
      "Read the new definition (codemode tools --describe) before you let it run; approvals for the old one do not count.",
    ),
  );
  return [...found, ...changed];
}

/** A server of which an agent sees nothing although it is configured: the usual cause of "my tools are gone". */
function hidden(name: string, server: McpServerStatus, { config, tools }: Opened): readonly Check[] {
  const own = new Set(
    tools
      .known()
      .filter(({ origin }) => origin?.kind === "mcp" && origin.server === server.name)
      .map((tool) => tool.name),
  );
  if (own.size === 0) return [];
  return ["main", ...Object.keys(config.agents).filter((id) => id !== "main")].flatMap((agentId) => {
    const prefix = `mcp:${server.name}:`;
    const rows = explainAgent({ config, agentId, tools }).tools.filter(({ id }) => id.startsWith(prefix));
    if (rows.length === 0 || rows.some(({ state }) => state !== "denied")) return [];
    const reasons = [...new Set(rows.map(({ reason }) => reason ?? "a rule"))];
    return [
      warn(
        name,
        `agent ${agentId} sees none of its tools (${reasons.join("; ")})`,
        `If it should, change the rule; codemode tools --explain --agent ${agentId} shows each tool.`,
      ),
    ];
  });
}
