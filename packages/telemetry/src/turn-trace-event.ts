/** Events of a turn as far as spans and metrics read them; other types and further fields are ignored. */
export type TurnTraceEvent = { readonly type: string; readonly agentRunId?: unknown; readonly [key: string]: unknown };

/** Hears what happens in turns, in order and when it happens. */
export type TurnObserver = {
  onTurnEvent(sessionId: string, event: TurnTraceEvent): void;
};

/** A text field of an event, or nothing. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Tokens that a model request used, as far as its provider told. */
export function usageOf(event: TurnTraceEvent): { readonly input: number; readonly output: number } {
  const { inputTokens, outputTokens } = (event.usage ?? {}) as { inputTokens?: unknown; outputTokens?: unknown };
  return { input: count(inputTokens), output: count(outputTokens) };
}

function count(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}
