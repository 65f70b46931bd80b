import type { ModelTool, RunScope } from "@code-mode/contract";
import type { FaceQuestions } from "./face-questions.ts";

/** One `tools/call` of a client, while it runs. */
export type FaceCall = { readonly scope: RunScope; readonly toolName: string; readonly toolCallId: string };

/**
 * Time of one call, queueing included: `timeoutMs` from its receipt on. Only making the tools of a new client, which waits
 * for servers that start, does not count, as long as the whole call does not take longer than `longestMs`.
 */
export type CallBudget = { readonly timeoutMs: number; readonly longestMs: number };

/** What every server face is made from. */
export type McpServerFaceOptions = {
  /** The tools of one client; asked at its first request, and anew by `FaceSession.refresh`. They are served exactly as given. */
  modelTools(scope: RunScope): readonly ModelTool[] | Promise<readonly ModelTool[]>;
  /** Agent that the runs belong to. Default `main`. */
  readonly agentId?: string;
  /** How the server introduces itself. Default `code-mode` 0.1.0. */
  readonly serverInfo?: { readonly name: string; readonly version: string };
  /** Text that clients may show to their model. */
  readonly instructions?: string;
  /** Time between two signs of life of a running call, for clients that asked for progress. Default 5000. */
  readonly heartbeatMs?: number;
  /** Time of one call of a control (MCPS-3). Default: the control's own. */
  readonly callBudget?: CallBudget;
  /** Tells of nested calls: `report` sends a line to a client that asked for progress. Returns how to stop. */
  watchCall?(call: FaceCall, report: (message: string) => void): () => void;
  /** Questions to the users of clients that speak the protocol of 2026; without it none is asked there. */
  readonly questions?: FaceQuestions;
  /** Calls `listener` when `modelTools` may answer otherwise than before. Returns how to stop. */
  onToolsChange?(listener: () => void): () => void;
};
