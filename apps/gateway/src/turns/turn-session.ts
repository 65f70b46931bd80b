import type { TurnObserver } from "@code-mode/telemetry";
import type { ModelMessage } from "ai";
import type { SessionLog } from "../store/session-log.ts";
import type { TurnEvent } from "./turn-event.ts";

/** Whose conversation, and who records and hears of it. */
export type TurnSessionOptions = {
  readonly log: SessionLog;
  readonly observer?: TurnObserver | undefined;
  readonly id: string;
  readonly agentId: string;
};

/** The conversation that a turn goes on with: what was said so far, and the record of what happens. */
export class TurnSession {
  readonly id: string;
  readonly #log: SessionLog;
  readonly #observer: TurnObserver | undefined;
  readonly #messages: ModelMessage[];

  /**
   * Opens the session, created on first use.
   * @throws CodeModeError `runtime_unavailable` when nothing can be recorded any more
   */
  constructor({ log, observer, id, agentId }: TurnSessionOptions) {
    log.open(id, agentId);
    this.id = id;
    this.#log = log;
    this.#observer = observer;
    // earlier turns are durable; from here on this turn is the only one that adds
    this.#messages = log.messages(id).map(({ message }) => message);
  }

  /** The model's history, verbatim, oldest first. */
  get messages(): readonly ModelMessage[] {
    return this.#messages;
  }

  /** Adds to the history; durable after `flush`. */
  addMessages(agentRunId: string, messages: readonly ModelMessage[]): void {
    this.#log.appendMessages(
      this.id,
      messages.map((message) => ({ agentRunId, message })),
    );
    this.#messages.push(...messages);
  }

  /** Appends an event, without secrets; gives its number. */
  record(event: TurnEvent): number {
    const { seq } = this.#log.record(this.id, event);
    this.#observer?.onTurnEvent(this.id, event);
    return seq;
  }

  /** Resolves when everything so far is durable. */
  async flush(): Promise<void> {
    await this.#log.flush();
  }
}
