import type { RunScope } from "@code-mode/contract";

/** What a user may say to a question. */
export type FaceAnswer = "accept" | "decline" | "cancel";

/** A question to the user of a client. */
export type FaceQuestion = { readonly id: string; readonly message: string };

/**
 * Questions to users of clients that speak the protocol of 2026: there a server cannot ask, it answers a call with
 * `input_required`, and the client sends the call again with what its user said (MCPS-4).
 */
export interface FaceQuestions {
  /** A call of a session begins; `canAsk` says whether its client would put a question to its user. */
  callStarts(scope: RunScope, canAsk: boolean): void;
  /** Questions that the suspended run waits for. */
  open(runId: string): readonly FaceQuestion[];
  /** What the user said; a question that is no longer open stays as it was decided. */
  answer(runId: string, questionId: string, answer: FaceAnswer): void;
  /** How long a question may be answered. */
  readonly ttlSeconds: number;
}
