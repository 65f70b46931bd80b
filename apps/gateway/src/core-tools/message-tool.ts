import { CodeModeError, type CodeModeTool, type RunScope, type ToolContext } from "@code-mode/contract";
import { fieldsOf } from "./fields-of.ts";

/** A message of an agent to the user of its session, beside the final answer of the turn. */
export type UserMessage = {
  readonly scope: Pick<RunScope, "agentId" | "sessionId" | "sessionKey" | "agentRunId">;
  readonly toolCallId: string;
  readonly parentToolCallId?: string;
  readonly text: string;
};

/** Hands a message on; false when nobody of this session can get it. Resolves when it is kept. */
export type MessagePort = (message: UserMessage) => boolean | Promise<boolean>;

const maxLength = 16_384;

/** The core tool `message`: says something to the user while the turn goes on. */
export function createMessageTool(onMessage: MessagePort | undefined): CodeModeTool {
  return {
    name: "message",
    label: "Message user",
    description: "Show the user a message now, while the turn goes on. The final answer needs no message.",
    parameters: {
      type: "object",
      properties: { text: { type: "string", minLength: 1, maxLength, description: "Text or Markdown." } },
      required: ["text"],
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: { delivered: { const: true } },
      required: ["delivered"],
      additionalProperties: false,
    },
    execute: async (input, context) => {
      const { text = "" } = fieldsOf<{ text: string }>(input);
      if ((await onMessage?.(messageOf(text, context))) === true) return { delivered: true };
      throw new CodeModeError(
        "tool_error",
        "message: nobody reads messages of this session. Put the text into the answer or the returned value.",
      );
    },
  };
}

function messageOf(text: string, context: ToolContext): UserMessage {
  const { agentId, sessionId, sessionKey, agentRunId, toolCallId, parentToolCallId } = context;
  return {
    scope: { agentId, sessionId, sessionKey, agentRunId },
    toolCallId,
    ...(parentToolCallId === undefined ? {} : { parentToolCallId }),
    text,
  };
}
