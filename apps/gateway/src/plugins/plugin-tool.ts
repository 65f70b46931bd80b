import type { CodeModeTool, ToolContext } from "@code-mode/contract";
import type { PluginTool, PluginToolContext } from "./plugin-types.ts";

/** The tool of a plugin as code mode takes it. */
export function toCodeModeTool(tool: PluginTool, pluginId: string): CodeModeTool {
  return {
    name: tool.name,
    description: tool.description,
    parameters: tool.parameters,
    origin: { kind: "plugin", pluginId },
    ...(tool.label === undefined ? {} : { label: tool.label }),
    ...(tool.outputSchema === undefined ? {} : { outputSchema: tool.outputSchema }),
    ...(tool.catalogMode === undefined ? {} : { catalogMode: tool.catalogMode }),
    ...(tool.executionMode === undefined ? {} : { executionMode: tool.executionMode }),
    ...(tool.replaySafe === undefined ? {} : { replaySafe: tool.replaySafe }),
    ...(tool.approval === undefined ? {} : { approval: tool.approval }),
    execute: (input, context) => tool.execute(input, pluginContext(context)),
  };
}

/** Exactly the documented fields: a plugin must not come to depend on others. */
function pluginContext(context: ToolContext): PluginToolContext {
  return {
    signal: context.signal,
    toolCallId: context.toolCallId,
    agentId: context.agentId,
    sessionId: context.sessionId,
    sessionKey: context.sessionKey,
    runId: context.runId,
    ...(context.parentToolCallId === undefined ? {} : { parentToolCallId: context.parentToolCallId }),
    ...(context.sender === undefined ? {} : { sender: context.sender }),
    ...(context.channel === undefined ? {} : { channel: context.channel }),
    onUpdate: (partial) => context.onUpdate(partial),
    log: (message, facts) => context.log(message, facts),
  };
}
