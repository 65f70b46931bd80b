import { randomBytes } from "node:crypto";
import { didYouMean, type JsonValue, type ModelTool } from "@code-mode/contract";
import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
  type Tool,
} from "@modelcontextprotocol/server";
import type { FaceCall, McpServerFaceOptions } from "./face-options.ts";
import type { FaceSession } from "./face-session.ts";
import { ProgressReporter } from "./progress-reporter.ts";
import { buildErrorAnswer, buildToolAnswer } from "./tool-answer.ts";

/**
 * An SDK server that serves the tools of a session, for either protocol era and any transport. Cheap: HTTP makes one per
 * request, stdio one per connection and one more for a probe.
 */
export function buildFaceServer(session: FaceSession, options: McpServerFaceOptions): Server {
  const server = new Server(options.serverInfo ?? { name: "code-mode", version: "0.1.0" }, {
    capabilities: { tools: {} },
    ...(options.instructions !== undefined && { instructions: options.instructions }),
  });
  server.setRequestHandler("tools/list", async () => ({ tools: (await session.tools()).map(describeTool) }));
  server.setRequestHandler("tools/call", async (request, context) => {
    const tool = findTool(await session.tools(), request.params.name);
    return callTool(tool, request.params.arguments ?? {}, { session, options, context });
  });
  return server;
}

type CallSite = {
  readonly session: FaceSession;
  readonly options: McpServerFaceOptions;
  readonly context: ServerContext;
};

async function callTool(tool: ModelTool, input: unknown, at: CallSite): Promise<CallToolResult> {
  const { scope } = at.session;
  const call: FaceCall = { scope, toolName: tool.name, toolCallId: `call_${randomBytes(12).toString("hex")}` };
  using _progress = new ProgressReporter(at.context, call, at.options);
  try {
    const value = await tool.call(input, { scope, signal: at.context.mcpReq.signal, toolCallId: call.toolCallId });
    return buildToolAnswer(tool, value);
  } catch (error) {
    return buildErrorAnswer(tool, error);
  }
}

function findTool(tools: readonly ModelTool[], name: string): ModelTool {
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool !== undefined) return tool;
  const names = tools.map((candidate) => candidate.name);
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `Unknown tool: ${name}. This server offers ${names.join(", ")}.${didYouMean(name, names)}`,
  );
}

function describeTool(tool: ModelTool): Tool {
  return {
    name: tool.name,
    description: tool.description,
    inputSchema: tool.inputSchema as { type: "object"; [key: string]: JsonValue },
  };
}
