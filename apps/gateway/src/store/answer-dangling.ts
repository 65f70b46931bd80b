import type { JsonObject, JsonValue } from "@code-mode/contract";
import type { ModelMessage } from "ai";
import type { LostCell } from "./recover-transcripts.ts";
import type { TranscriptStore } from "./transcript-store.ts";

/** Which calls to answer: those of the run that was interrupted. */
export type DanglingCalls = {
  readonly sessionId: string;
  readonly agentRunId: string;
  readonly cells: readonly LostCell[];
  /** Calls that the trajectory began and did not end. */
  readonly opened: readonly { readonly toolCallId: string; readonly name: string }[];
};

type Call = { readonly toolCallId: string; readonly toolName: string };

/**
 * Answers the tool calls that an interrupted run left without a result: providers refuse a history in which a call has
 * none (PRV-2), and the model learns what had already run.
 */
export function answerDangling(store: TranscriptStore, dangling: DanglingCalls): void {
  const { sessionId, agentRunId, opened } = dangling;
  const history = store.messages(sessionId).map(({ message }) => message);
  for (const { toolCallId, name } of opened) {
    const result = lostResult(name, dangling.cells);
    store.append(sessionId, { type: "tool_result", agentRunId, toolCallId, name, result, durationMs: 0 });
  }
  const answers = unansweredCalls(history).map(({ toolCallId, toolName }): ModelMessage => {
    const value = lostResult(toolName, dangling.cells) as JsonObject;
    return {
      role: "tool",
      content: [{ type: "tool-result", toolCallId, toolName, output: { type: "json", value: value as never } }],
    };
  });
  store.appendMessages(
    sessionId,
    answers.map((message) => ({ agentRunId, message })),
  );
}

function unansweredCalls(history: readonly ModelMessage[]): readonly Call[] {
  const calls = history.flatMap((message) =>
    message.role === "assistant" && typeof message.content !== "string"
      ? message.content.filter((part) => part.type === "tool-call")
      : [],
  );
  const answered = new Set(
    history.flatMap((message) =>
      message.role === "tool" ? message.content.map((part) => ("toolCallId" in part ? part.toolCallId : "")) : [],
    ),
  );
  return calls.filter(({ toolCallId }) => !answered.has(toolCallId));
}

function lostResult(name: string, cells: readonly LostCell[]): JsonValue {
  const control = name === "exec" || name === "wait";
  const ran = control && cells.length > 0 ? ` ${cells.map(whatRan).join(" ")}` : "";
  return {
    status: "failed",
    code: "aborted",
    error: `the gateway was restarted before this call ended, and its cells are lost.${ran} Look at what was done before you do it again.`,
  };
}

function whatRan({ completed, failed, unfinished }: LostCell): string {
  const list = (what: string, calls: LostCell["completed"]): string =>
    `${what}: ${calls.length === 0 ? "none" : calls.map(({ toolId }) => toolId).join(", ")}`;
  return `${list("Completed calls", completed)}; ${list("failed", failed)}; ${list("with unknown outcome", unfinished)}.`;
}
