import type { JsonValue } from "@code-mode/contract";

/** Tokens of one model request, as far as the provider told. */
export type RequestUsage = { readonly inputTokens: number; readonly outputTokens: number };

/** What happens in a turn outside of cells, in order; part of the session's trajectory. */
export type TurnEvent =
  | {
      readonly type: "turn_started";
      readonly agentRunId: string;
      readonly agentId: string;
      readonly message: string;
      /** The interrupted run that this one goes on with. */
      readonly recovers?: string;
    }
  | {
      readonly type: "model_request";
      readonly agentRunId: string;
      readonly step: number;
      readonly model: string;
      readonly tools: readonly string[];
    }
  | {
      /** The provider refused or broke off, and is asked again after a pause. */
      readonly type: "model_retry";
      readonly agentRunId: string;
      readonly step: number;
      readonly attempt: number;
      readonly delayMs: number;
      readonly reason: string;
    }
  | {
      readonly type: "model_response";
      readonly agentRunId: string;
      readonly step: number;
      readonly model: string;
      readonly finishReason: string;
      readonly usage: RequestUsage;
      readonly ms: number;
    }
  | {
      /** The model's reply cannot be used; it is told why and asked again. */
      readonly type: "model_corrected";
      readonly agentRunId: string;
      readonly step: number;
      readonly text: string;
    }
  | { readonly type: "text"; readonly agentRunId: string; readonly text: string; readonly interrupted?: true }
  | {
      /** The turn waits for its client to answer these calls of the client's own tools. */
      readonly type: "client_calls";
      readonly agentRunId: string;
      readonly calls: readonly { readonly toolCallId: string; readonly name: string; readonly input: JsonValue }[];
    }
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
      readonly status: "completed" | "failed" | "aborted";
      /** The answer, or why there is none. */
      readonly text: string;
      readonly steps: number;
      readonly usage: { readonly [key: string]: number };
      /** Code of the error of a failed turn. */
      readonly code?: string;
      readonly durationMs: number;
    };

const turnEventTypes: ReadonlySet<string> = new Set<TurnEvent["type"]>([
  "turn_started",
  "model_request",
  "model_retry",
  "model_response",
  "model_corrected",
  "text",
  "tool_call",
  "tool_result",
  "turn_ended",
]);

/** Tells events of the turn from those of cells. */
export function isTurnEvent(event: { readonly type: string }): event is TurnEvent {
  return turnEventTypes.has(event.type);
}
