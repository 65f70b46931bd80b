import { randomBytes } from "node:crypto";
import {
  type CodeModeResult,
  didYouMean,
  type JsonValue,
  type ModelTool,
  type ReceiptBudget,
} from "@code-mode/contract";
import {
  type CallToolResult,
  type InputRequiredResult,
  isInputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
  type Tool,
} from "@modelcontextprotocol/server";
import type { CallBudget, FaceCall, McpServerFaceOptions } from "./face-options.ts";
import type { FaceSession } from "./face-session.ts";
import { ProgressReporter } from "./progress-reporter.ts";
import type { AskedCall, ResultQuestions } from "./result-questions.ts";
import { buildErrorAnswer, buildToolAnswer } from "./tool-answer.ts";

/** What a server object of a session is made from. */
export type FaceServerParts = {
  readonly session: FaceSession;
  readonly options: McpServerFaceOptions;
  /** Set where questions go into results: for clients that speak the protocol of 2026. */
  readonly questions: ResultQuestions | undefined;
};

/**
 * An SDK server that serves the tools of a session, for either protocol era and any transport. Cheap: HTTP makes one per
 * request, stdio one per connection and one more for a probe.
 */
export function buildFaceServer(parts: FaceServerParts): Server {
  const { session, options, questions } = parts;
  const server = new Server(options.serverInfo ?? { name: "code-mode", version: "0.1.0" }, {
    capabilities: { tools: options.onToolsChange === undefined ? {} : { listChanged: true } },
    ...(options.instructions !== undefined && { instructions: options.instructions }),
    ...(questions !== undefined && { requestState: { verify: questions.verify } }),
  });
  server.setRequestHandler("tools/list", async () => ({ tools: (await session.tools()).map(describeTool) }));
  server.setRequestHandler("tools/call", async (request, context) => {
    const receivedAt = performance.now();
    const tools = await session.tools();
    const call = { tool: findTool(tools, request.params.name), input: request.params.arguments ?? {} };
    const asked = questions?.begin(call, tools, context) ?? { ...call, state: undefined };
    return callTool(asked, { ...parts, context, budget: budgetOf(options.callBudget, receivedAt) });
  });
  return server;
}

type CallSite = FaceServerParts & { readonly context: ServerContext; readonly budget: ReceiptBudget | undefined };

async function callTool(asked: AskedCall, at: CallSite): Promise<CallToolResult | InputRequiredResult> {
  const { tool, input } = asked;
  const { scope } = at.session;
  const call: FaceCall = { scope, toolName: tool.name, toolCallId: `call_${randomBytes(12).toString("hex")}` };
  using _progress = new ProgressReporter(at.context, call, at.options);
  try {
    const isControl = tool.kind === "control";
    if (isControl) at.options.questions?.callStarts(scope, at.questions?.canAsk(at.context) ?? false);
    const value = await tool.call(input, {
      ...{ scope, signal: at.context.mcpReq.signal, toolCallId: call.toolCallId },
      ...(isControl && at.budget !== undefined && { budget: at.budget }),
    });
    if (!isControl || at.questions === undefined) return buildToolAnswer(tool, value);
    const answer = await at.questions.end(asked, value as CodeModeResult, at.context);
    return isInputRequiredResult(answer) ? answer : buildToolAnswer(tool, answer);
  } catch (error) {
    return buildErrorAnswer(tool, error);
  }
}

/** What is left of a call whose tools are there now. */
function budgetOf(budget: CallBudget | undefined, receivedAt: number): ReceiptBudget | undefined {
  if (budget === undefined) return undefined;
  const now = performance.now();
  return { ms: Math.max(0, Math.min(budget.timeoutMs, budget.longestMs - (now - receivedAt))), receivedAt: now };
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

/** Clients refuse a whole list for one schema that does not say `type: "object"`. */
function describeTool(tool: ModelTool): Tool {
  return {
    name: tool.name,
    description: tool.description,
    inputSchema: { ...tool.inputSchema, type: "object" } as { type: "object"; [key: string]: JsonValue },
  };
}
