import type { JsonValue } from "@code-mode/contract";

/** What happens in a turn outside of cells, in order; part of the session's trajectory. */
export type TurnEvent =
  | { readonly type: "turn_started"; readonly agentRunId: string; readonly agentId: string; readonly message: string }
  | {
      readonly type: "model_request";
      readonly agentRunId: string;
      readonly step: number;
      readonly tools: readonly string[];
    }
  | { readonly type: "text"; readonly agentRunId: string; readonly text: string }
  | {
      readonly type: "tool_call";
      readonly agentRunId: string;
      readonly toolCallId: string;
      readonly name: string;
      readonly input: JsonValue;
    }
  | {
      readonly type: "tool_result";
      readonly agentRunId: string;
      readonly toolCallId: string;
      readonly name: string;
      readonly result: JsonValue;
      readonly durationMs: number;
    }
  | {
      readonly type: "turn_ended";
      readonly agentRunId: string;
      readonly status: "completed" | "failed";
      readonly text: string;
      readonly durationMs: number;
    };

const turnEventTypes: ReadonlySet<string> = new Set<TurnEvent["type"]>([
  "turn_started",
  "model_request",
  "text",
  "tool_call",
  "tool_result",
  "turn_ended",
]);

/** Tells events of the turn from those of cells. */
export function isTurnEvent(event: { readonly type: string }): event is TurnEvent {
  return turnEventTypes.has(event.type);
}
