import type {
  ApprovalPort,
  CodeModeTool,
  ExecuteOptions,
  JsonObject,
  JsonValue,
  NestedCall,
  ToolExecutor,
} from "@code-mode/contract";
import type { McpElicitation, McpElicitationAnswer } from "@code-mode/mcp";

/** What questions of MCP servers need of a host. */
export type UpstreamQuestionsParts = {
  readonly approvals: ApprovalPort;
  /** The tool of a call as it is now. */
  findTool(call: NestedCall): CodeModeTool | undefined;
};

type Running = { readonly call: NestedCall; readonly options: ExecuteOptions };

const nobody: McpElicitationAnswer = { action: "cancel" };

/**
 * Questions that an MCP server asks in the middle of a call, decided like approvals of that call (MCP-8): the program
 * waits, whoever decides sees the question together with the answer that a yes would send.
 */
export class UpstreamQuestions {
  readonly #parts: () => UpstreamQuestionsParts;
  readonly #running = new Map<string, Running>();
  #count = 0;

  /** @param parts asked when the first question comes; the host is complete by then */
  constructor(parts: () => UpstreamQuestionsParts) {
    this.#parts = parts;
  }

  /** An executor whose running calls can be asked about. */
  track(executor: ToolExecutor): ToolExecutor {
    return {
      execute: async (call, options) => {
        const key = keyOf(call.scope.sessionId, call.callId);
        this.#running.set(key, { call, options });
        try {
          return await executor.execute(call, options);
        } finally {
          this.#running.delete(key);
        }
      },
    };
  }

  /** Answers a question of a server; one that belongs to no single call, or that a yes cannot answer, is dismissed. */
  readonly elicit = async (
    question: McpElicitation,
    { signal }: { signal: AbortSignal },
  ): Promise<McpElicitationAnswer> => {
    const context = question.call?.context;
    const running = context && this.#running.get(keyOf(context.sessionId, context.toolCallId));
    const content = question.url === undefined ? contentOfYes(question.requestedSchema) : undefined;
    if (running === undefined || content === undefined) return nobody;
    return this.#ask(running, { question, content, signal });
  };

  async #ask(
    { call, options }: Running,
    { question, content, signal }: { question: McpElicitation; content: JsonObject; signal: AbortSignal },
  ): Promise<McpElicitationAnswer> {
    const { approvals, findTool } = this.#parts();
    const tool = findTool(call);
    if (tool === undefined) return nobody;
    this.#count += 1;
    const input: JsonValue = { question: question.message, server: question.server, answer: content };
    const request = { call: { ...call, callId: `${call.callId}-question-${this.#count}`, input }, tool, input };
    const decision = await approvals.request({
      ...request,
      signal,
      onPending: (approvalId) => options.onUpdate({ type: "awaiting_approval", approvalId }),
    });
    if (!signal.aborted) options.onUpdate({ type: "started" });
    if (!decision.approved) return { action: decision.code === "approval_expired" ? "cancel" : "decline" };
    return approvals.confirm(request, decision.approvalId) ? { action: "accept", content } : nobody;
  }
}

function keyOf(sessionId: string, callId: string): string {
  return JSON.stringify([sessionId, callId]);
}

/** The form as a yes fills it in: defaults, and what can only be one way; nothing where a person would have to write. */
function contentOfYes(schema: JsonObject | undefined): JsonObject | undefined {
  const { properties, required } = (schema ?? {}) as { properties?: unknown; required?: unknown };
  const fields = isRecord(properties) ? properties : {};
  const needed = Array.isArray(required) ? required.map(String) : [];
  const content: Record<string, JsonValue> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = valueOfYes(field, needed.includes(name));
    if (value !== undefined) content[name] = value;
  }
  return needed.every((name) => Object.hasOwn(content, name)) ? content : undefined;
}

function valueOfYes(field: unknown, needed: boolean): JsonValue | undefined {
  if (!isRecord(field)) return undefined;
  if (field.default !== undefined) return field.default as JsonValue;
  if (!needed) return undefined;
  if (field.const !== undefined) return field.const as JsonValue;
  if (Array.isArray(field.enum) && field.enum.length === 1) return field.enum[0] as JsonValue;
  return field.type === "boolean" ? true : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
