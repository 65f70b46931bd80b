import { CodeModeError } from "@code-mode/contract";
import type { Turn, TurnAnswer } from "./turn.ts";

/** Who a turn belongs to, and where its record begins. */
export type TurnPlace = Pick<Turn, "sessionId" | "agentId" | "agentRunId" | "firstSeq">;

/** A turn under way: hands its text to listeners and takes the wish to end it. */
export class RunningTurn implements Turn {
  readonly sessionId: string;
  readonly agentId: string;
  readonly agentRunId: string;
  readonly firstSeq: number;
  readonly done: Promise<TurnAnswer>;
  readonly #ending = new AbortController();
  readonly #listeners = new Set<(delta: string) => void>();
  #reply = "";
  #replyFrom = -1;

  /** @param run does the work, begun after this constructor has returned */
  constructor(
    { sessionId, agentId, agentRunId, firstSeq }: TurnPlace,
    run: (turn: RunningTurn) => Promise<TurnAnswer>,
  ) {
    this.sessionId = sessionId;
    this.agentId = agentId;
    this.agentRunId = agentRunId;
    this.firstSeq = firstSeq;
    this.done = Promise.resolve().then(() => run(this));
    // whoever started it may have no interest in how it ends
    this.done.catch(() => undefined);
  }

  /** Ends the turn's model requests and tool calls. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** What the model has written of the reply that it is writing now. */
  get replySoFar(): string {
    return this.#reply;
  }

  /** The `seq` of the request that this reply answers: what came before belongs before its text. */
  get replyFrom(): number {
    return this.#replyFrom;
  }

  abort(reason: string): void {
    this.#ending.abort(new CodeModeError("aborted", `the turn was aborted: ${reason}`));
  }

  onText(listener: (delta: string) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** The model is asked, on record under this number. */
  beginReply(requestSeq: number): void {
    this.#reply = "";
    this.#replyFrom = requestSeq;
  }

  /** The model goes on writing. */
  addText(delta: string): void {
    this.#reply += delta;
    for (const listener of [...this.#listeners]) listener(delta);
  }

  /** The reply is complete, or given up; the next text belongs to another one. */
  endReply(): void {
    this.#reply = "";
  }
}
