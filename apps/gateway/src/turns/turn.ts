import type { JsonSchema } from "@code-mode/contract";
import type { ModelMessage } from "ai";

/** A tool that the client of a turn answers itself. */
export type ClientToolDefinition = {
  readonly name: string;
  readonly description?: string | undefined;
  readonly parameters?: JsonSchema | undefined;
};

/** A user's message to an agent (GW-3). */
export type TurnRequest = {
  /** Default `main`. */
  readonly agent?: string | undefined;
  readonly message: string;
  readonly sender?: string | undefined;
  readonly channel?: string | undefined;
  readonly clientTools?: readonly ClientToolDefinition[] | undefined;
  /** A run without tools: raw model call (ACT-2). */
  readonly disableTools?: boolean | undefined;
  readonly tools?:
    | { readonly allow?: readonly string[] | undefined; readonly deny?: readonly string[] | undefined }
    | undefined;
  /** Added to the agent's instructions for this turn. */
  readonly instructions?: string | undefined;
  /** The agent run that a restart interrupted and that this turn goes on with; then there is no new message (LIFE-7). */
  readonly recovers?: string | undefined;
  /** Messages that a new session begins with; ignored for one that has messages. */
  readonly history?: readonly ModelMessage[] | undefined;
};

/** Tokens of all model requests of a turn; `costUsd` only where the provider's prices are configured. */
export type TurnUsage = {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly requests: number;
  readonly costUsd?: number;
};

/** What a finished turn answers. */
export type TurnAnswer = {
  readonly sessionId: string;
  readonly agentRunId: string;
  readonly status: "completed";
  readonly text: string;
  readonly steps: number;
  readonly usage: TurnUsage;
};

/** A turn under way. Everything it does is appended to its session's events; `done` settles after they are durable. */
export type Turn = {
  readonly sessionId: string;
  readonly agentId: string;
  readonly agentRunId: string;
  /** The `seq` of its `turn_started` event. */
  readonly firstSeq: number;
  /** Rejects with what made the turn fail. */
  readonly done: Promise<TurnAnswer>;
  abort(reason: string): void;
  /** Hears each piece of text as the model writes it, until the returned function is called. */
  onText(listener: (delta: string) => void): () => void;
};
