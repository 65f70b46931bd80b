import { randomBytes } from "node:crypto";
import type { ModelTool, RunScope } from "@code-mode/contract";
import type { McpServerFaceOptions } from "./face-options.ts";

/** One client: one session and one agent run of its own (MCPS-2). Outlives the SDK server objects that serve it. */
export type FaceSession = {
  readonly scope: RunScope;
  /** The client's tools; made at the first use, then the same until `refresh`. */
  tools(): Promise<readonly ModelTool[]>;
  /** Makes the tools anew; true when a client that listed them should do so again. */
  refresh(): Promise<boolean>;
};

/** Opens a session with unguessable 128-bit ids: a foreign run id is unknown here. */
export function openFaceSession(options: McpServerFaceOptions): FaceSession {
  const sessionId = `mcp_${randomBytes(16).toString("hex")}`;
  const scope: RunScope = {
    agentId: options.agentId ?? "main",
    sessionId,
    sessionKey: `mcp:${sessionId}`,
    agentRunId: `run_${randomBytes(16).toString("hex")}`,
    channel: "mcp",
  };
  const make = async (): Promise<readonly ModelTool[]> => assertDistinct(await options.modelTools(scope));
  let tools: Promise<readonly ModelTool[]> | undefined;
  return {
    scope,
    tools: () => {
      tools ??= make().catch((error: unknown) => {
        // the next request tries again
        tools = undefined;
        throw error;
      });
      return tools;
    },
    refresh: async () => {
      if (tools === undefined) return false;
      const before = listText(await tools);
      const fresh = await make();
      tools = Promise.resolve(fresh);
      return listText(fresh) !== before;
    },
  };
}

/** What a client gets to see of the tools. */
function listText(tools: readonly ModelTool[]): string {
  return JSON.stringify(tools.map(({ name, description, inputSchema }) => [name, description, inputSchema]));
}

function assertDistinct(tools: readonly ModelTool[]): readonly ModelTool[] {
  const names = tools.map((tool) => tool.name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`two tools of the MCP server face are named "${twice}"; names must differ`);
  return tools;
}
