/** Names of the GenAI conventions of OpenTelemetry; the conventions still change, so they stand here and nowhere else. */
export const genAi = {
  operation: "gen_ai.operation.name",
  agentId: "gen_ai.agent.id",
  conversationId: "gen_ai.conversation.id",
  requestModel: "gen_ai.request.model",
  provider: "gen_ai.provider.name",
  finishReasons: "gen_ai.response.finish_reasons",
  inputTokens: "gen_ai.usage.input_tokens",
  outputTokens: "gen_ai.usage.output_tokens",
  toolName: "gen_ai.tool.name",
  toolCallId: "gen_ai.tool.call.id",
  tokenType: "gen_ai.token.type",
  errorType: "error.type",
} as const;

/** Values of `gen_ai.operation.name`; each is also the first word of its span's name. */
export const genAiOperations = { agent: "invoke_agent", model: "chat", tool: "execute_tool" } as const;

/** Metrics of the GenAI conventions. */
export const genAiMetrics = {
  tokenUsage: "gen_ai.client.token.usage",
  operationDuration: "gen_ai.client.operation.duration",
} as const;

/** What the conventions have no name for. */
export const ownNames = {
  cellId: "code_mode.cell.id",
  language: "code_mode.language",
  status: "code_mode.status",
  agentRunId: "code_mode.agent_run.id",
  step: "code_mode.step",
} as const;
