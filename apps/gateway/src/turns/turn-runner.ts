import { randomUUID } from "node:crypto";
import { CodeModeError, messageOf, type RunScope } from "@code-mode/contract";
import type { Host } from "../compose.ts";
import { HttpError } from "../http/http-error.ts";
import type { Models } from "../provider/models.ts";
import { runTurn } from "./run-turn.ts";
import type { Session, SessionEvent, SessionStore } from "./session-store.ts";
import type { TurnEvent } from "./turn-event.ts";

/** A user's message to an agent. */
export type TurnRequest = {
  readonly agent?: string | undefined;
  readonly message: string;
  readonly sender?: string | undefined;
  readonly channel?: string | undefined;
};

/** What a finished turn answers. */
export type TurnAnswer = {
  readonly sessionId: string;
  readonly agentRunId: string;
  readonly status: "completed";
  readonly text: string;
  readonly steps: number;
};

/** What turns are made from. */
export type TurnRunnerParts = { readonly host: Host; readonly models: Models; readonly sessions: SessionStore };

const defaultMaxSteps = 32;

/** Runs turns: one at a time in each session. */
export class TurnRunner implements AsyncDisposable {
  readonly #parts: TurnRunnerParts;
  readonly #stop = new AbortController();
  readonly #running = new Set<Promise<unknown>>();

  constructor(parts: TurnRunnerParts) {
    this.#parts = parts;
  }

  /**
   * Runs one turn to its end.
   * @throws HttpError 409 while another turn of the session runs, 404 for an unknown agent; CodeModeError when the turn fails
   */
  async run(sessionId: string, request: TurnRequest): Promise<TurnAnswer> {
    const agentId = this.#agentOf(request.agent ?? "main");
    const session = this.#parts.sessions.open(sessionId);
    if (session.busy)
      throw new HttpError(409, "turn_in_progress", "a turn of this session is running; wait for it to end.");
    session.busy = true;
    const turn = this.#turn(session, request, agentId).finally(() => {
      session.busy = false;
      this.#running.delete(turn);
    });
    this.#running.add(turn);
    return turn;
  }

  /** Everything that happened in a session so far. */
  trajectory(sessionId: string): readonly SessionEvent[] | undefined {
    return this.#parts.sessions.find(sessionId)?.events;
  }

  /** Resolves when the turns that run now have ended. */
  async idle(): Promise<void> {
    await Promise.allSettled([...this.#running]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort(new CodeModeError("aborted", "the gateway is shutting down."));
    await Promise.allSettled([...this.#running]);
  }

  #agentOf(agentId: string): string {
    const agents = this.#parts.host.config.agents;
    if (agentId === "main" || Object.hasOwn(agents, agentId)) return agentId;
    throw new HttpError(
      404,
      "unknown_agent",
      `there is no agent ${agentId}; configured: ${["main", ...Object.keys(agents)].join(", ")}.`,
    );
  }

  async #turn(session: Session, request: TurnRequest, agentId: string): Promise<TurnAnswer> {
    const { host } = this.#parts;
    const scope: RunScope = {
      agentId,
      sessionId: session.id,
      sessionKey: `${agentId}:${session.id}`,
      agentRunId: randomUUID(),
      ...(request.sender === undefined ? {} : { sender: request.sender }),
      ...(request.channel === undefined ? {} : { channel: request.channel }),
    };
    const { agentRunId } = scope;
    const emit = (event: TurnEvent): void => session.record(event);
    const startedAt = performance.now();
    const end = (status: "completed" | "failed", text: string): void =>
      emit({ type: "turn_ended", agentRunId, status, text, durationMs: Math.round(performance.now() - startedAt) });
    emit({ type: "turn_started", agentRunId, agentId, message: request.message });
    try {
      const { text, steps } = await this.#loop(session, { scope, emit, message: request.message });
      end("completed", text);
      return { sessionId: session.id, agentRunId, status: "completed", text, steps };
    } catch (error) {
      end("failed", messageOf(error));
      throw error;
    } finally {
      await host.codeMode?.endRun(scope);
    }
  }

  async #loop(
    session: Session,
    { scope, emit, message }: { scope: RunScope; emit(event: TurnEvent): void; message: string },
  ) {
    const { host, models } = this.#parts;
    const agent = Object.hasOwn(host.config.agents, scope.agentId) ? host.config.agents[scope.agentId] : undefined;
    const { tools, assertBody } = await host.activate(scope);
    const user = { role: "user", content: message } as const;
    const outcome = await runTurn([...session.messages, user], {
      scope,
      tools,
      model: await models.open(agent?.model, assertBody),
      instructions: agent?.instructions,
      maxSteps: agent?.maxTurns ?? defaultMaxSteps,
      signal: this.#stop.signal,
      emit,
    });
    session.messages.push(user, ...outcome.added);
    return outcome;
  }
}
