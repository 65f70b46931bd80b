import { randomUUID } from "node:crypto";
import type { ApprovalDecision, RunScope, ToolRequest } from "@code-mode/contract";
import type { FaceAnswer, FaceQuestion, FaceQuestions } from "@code-mode/mcp";
import type { ApprovalPerson } from "../policy/approval-desk.ts";
import { approvalQuestion } from "./approval-question.ts";
import { decisionOf } from "./elicit-approval.ts";

/** Options of `OpenQuestions`. */
export type OpenQuestionsOptions = {
  /** Lets a person decide for a session until the returned function is called. */
  attend(scope: RunScope, person: ApprovalPerson): () => void;
  readonly ttlSeconds: number;
};

type Session = { canAsk: boolean; readonly leave: () => void };
type Question = FaceQuestion & { readonly cellId: string; decide(decision: ApprovalDecision): void };

/**
 * The persons behind MCP clients of 2026: their questions wait here for the next result of the program, and their answers
 * come with the call after it (MCPS-4). The id of a suspended run is the id of its cell.
 */
export class OpenQuestions implements FaceQuestions {
  readonly ttlSeconds: number;
  readonly #options: OpenQuestionsOptions;
  readonly #sessions = new Map<string, Session>();
  readonly #questions = new Map<string, Question>();

  constructor(options: OpenQuestionsOptions) {
    this.#options = options;
    this.ttlSeconds = options.ttlSeconds;
  }

  callStarts(scope: RunScope, canAsk: boolean): void {
    const session = this.#sessions.get(scope.sessionId);
    if (session !== undefined) session.canAsk = canAsk;
    else if (canAsk) {
      const leave = this.#options.attend(scope, this.#personOf(scope.sessionId));
      this.#sessions.set(scope.sessionId, { canAsk, leave });
    }
  }

  open(runId: string): readonly FaceQuestion[] {
    return [...this.#questions.values()]
      .filter(({ cellId }) => cellId === runId)
      .map(({ id, message }) => ({ id, message }));
  }

  answer(runId: string, questionId: string, answer: FaceAnswer): void {
    const question = this.#questions.get(questionId);
    if (question?.cellId === runId) question.decide(decisionOf(answer));
  }

  /** A session is over: nobody attends it any more. */
  endSession(sessionId: string): void {
    this.#sessions.get(sessionId)?.leave();
    this.#sessions.delete(sessionId);
  }

  #personOf(sessionId: string): ApprovalPerson {
    return {
      isThere: () => this.#sessions.get(sessionId)?.canAsk === true,
      ask: (request, options) => this.#ask(request, options),
    };
  }

  #ask(request: ToolRequest, { signal, changed }: Parameters<ApprovalPerson["ask"]>[1]): Promise<ApprovalDecision> {
    const { cellId, callId } = request.call;
    // a call that the model made itself has no result that could carry a question
    if (cellId === callId) return Promise.reject(new Error("a direct call cannot carry a question"));
    return new Promise((resolve, reject) => {
      const id = randomUUID();
      const end = (): void => {
        this.#questions.delete(id);
        signal.removeEventListener("abort", takeBack);
      };
      const takeBack = (): void => {
        end();
        reject(signal.reason);
      };
      const decide = (decision: ApprovalDecision): void => {
        end();
        resolve(decision);
      };
      this.#questions.set(id, { id, cellId, message: approvalQuestion(request, changed), decide });
      signal.addEventListener("abort", takeBack, { once: true });
      if (signal.aborted) takeBack();
    });
  }
}
