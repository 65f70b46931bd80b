import { randomUUID } from "node:crypto";
import {
  type CallOptions,
  CodeModeError,
  type CodeModeTool,
  type JsonValue,
  type ModelTool,
  type RunScope,
  type ToolExecutor,
} from "@code-mode/contract";
import { toolId } from "./policy/tool-id.ts";

/** Runs a tool that the model called itself, on the path that nested calls take too (NEST-4). Answers with an error as data. */
export async function callDirectTool(
  executor: ToolExecutor,
  tool: CodeModeTool,
  input: unknown,
  options: CallOptions,
): Promise<unknown> {
  const toolCallId = options.toolCallId ?? randomUUID();
  const outcome = await executor.execute(
    {
      callId: toolCallId,
      cellId: toolCallId,
      parentToolCallId: toolCallId,
      toolId: toolId(tool),
      input: (input ?? {}) as JsonValue,
      scope: options.scope ?? privateScope(),
      restartSafe: false,
    },
    { signal: options.signal ?? new AbortController().signal, onUpdate: () => undefined },
  );
  return outcome.ok ? outcome.value : { error: outcome.error };
}

/**
 * The tools of a run without code mode, as the model sees them.
 * @throws CodeModeError `invalid_input` when two have one name: a model could not tell them apart
 */
export function toDirectModelTools(tools: readonly CodeModeTool[], executor: ToolExecutor): readonly ModelTool[] {
  const names = tools.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    throw new CodeModeError(
      "invalid_input",
      `two tools are named ${twice} and code mode is off, so the model could not tell them apart. Deny one of them by id, or enable tools.codeMode.`,
    );
  return tools.map((tool) => ({
    name: tool.name,
    kind: "direct",
    description: tool.description,
    inputSchema:
      typeof tool.parameters === "object"
        ? (tool.parameters as ModelTool["inputSchema"])
        : { type: "object", properties: {} },
    call: (input, options = {}) => callDirectTool(executor, tool, input, options),
  }));
}

function privateScope(): RunScope {
  const id = randomUUID();
  return { agentId: "main", sessionId: id, sessionKey: id, agentRunId: id };
}
