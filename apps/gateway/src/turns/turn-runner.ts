import { randomUUID } from "node:crypto";
import { CodeModeError, type RunScope } from "@code-mode/contract";
import type { TurnObserver } from "@code-mode/telemetry";
import type { Host } from "../compose.ts";
import { HttpError } from "../http/http-error.ts";
import type { Models } from "../provider/models.ts";
import type { SessionLog } from "../store/session-log.ts";
import type { SessionEvent } from "../store/transcript-store.ts";
import type { ClientToolsPort, OpenClientTools } from "./client-tools-port.ts";
import { performTurn } from "./perform-turn.ts";
import { RunningTurn } from "./running-turn.ts";
import { assertSessionId } from "./session-id.ts";
import { storeFailure } from "./store-failure.ts";
import type { TurnAnswer, TurnRequest } from "./turn.ts";
import type { TurnEvent } from "./turn-event.ts";
import { TurnSession } from "./turn-session.ts";

/** What turns are made from. */
export type TurnRunnerParts = {
  readonly host: Host;
  readonly models: Models;
  /** Where conversations and what happens in them are kept. */
  readonly sessions: SessionLog;
  /** Absent: turns bring no tools of their client. */
  readonly clientTools?: ClientToolsPort | undefined;
  /** Hears of every event of a turn when it happens, before it is durable; for spans and metrics. */
  readonly observer?: TurnObserver | undefined;
};

/** Runs turns: one at a time in each session. */
export class TurnRunner implements AsyncDisposable {
  readonly #parts: TurnRunnerParts;
  readonly #stop = new AbortController();
  readonly #running = new Map<string, RunningTurn>();

  constructor(parts: TurnRunnerParts) {
    this.#parts = parts;
  }

  /**
   * Begins a turn.
   * @throws HttpError 404 for an unknown agent, 409 while another turn of the session runs, 503 when the gateway closes
   * or cannot record; CodeModeError `invalid_input` for client tools or a session id that cannot be used
   */
  start(sessionId: string, request: TurnRequest): RunningTurn {
    if (this.#stop.signal.aborted) throw new HttpError(503, "shutting_down", "the gateway is shutting down.");
    assertSessionId(sessionId);
    const agentId = this.#agentOf(request.agent ?? "main");
    if (this.#running.has(sessionId))
      throw new HttpError(409, "turn_in_progress", "a turn of this session is running; wait for it to end.");
    const session = this.#open(sessionId, agentId);
    const scope = scopeOf(sessionId, agentId, request);
    const { agentRunId } = scope;
    const clientTools = this.#openClientTools(scope, request);
    const firstSeq = this.#recordStart(session, { agentRunId, agentId, ...startFacts(request) }, clientTools);
    const { host, models } = this.#parts;
    const closeRules = host.runs.open(scope, {
      request: request.tools,
      disableTools: request.disableTools,
      clientTools: clientTools?.tools,
    });
    const work = { host, models, stop: this.#stop.signal, scope, session, request, clientTools, closeRules };
    const turn = new RunningTurn({ sessionId, agentId, agentRunId, firstSeq }, (running) =>
      performTurn(running, work).finally(() => this.#running.delete(sessionId)),
    );
    this.#running.set(sessionId, turn);
    return turn;
  }

  /** Runs one turn to its end; throws as `start` does, and what made the turn fail. */
  async run(sessionId: string, request: TurnRequest): Promise<TurnAnswer> {
    return this.start(sessionId, request).done;
  }

  /** The turn of a session that is under way. */
  running(sessionId: string): RunningTurn | undefined {
    return this.#running.get(sessionId);
  }

  /** Ends the turn of a session; false where none runs. */
  abort(sessionId: string, reason = "somebody asked for it."): boolean {
    const turn = this.#running.get(sessionId);
    turn?.abort(reason);
    return turn !== undefined;
  }

  /** The transcripts that turns write. */
  get sessions(): SessionLog {
    return this.#parts.sessions;
  }

  /** Everything durable that happened in a session so far. */
  trajectory(sessionId: string): readonly SessionEvent[] | undefined {
    const { sessions } = this.#parts;
    return sessions.find(sessionId) === undefined ? undefined : sessions.events(sessionId);
  }

  /** Resolves when the turns that run now have ended. */
  async idle(): Promise<void> {
    await Promise.allSettled([...this.#running.values()].map(({ done }) => done));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort(new CodeModeError("aborted", "the gateway is shutting down."));
    await this.idle();
  }

  #agentOf(agentId: string): string {
    const agents = this.#parts.host.config.agents;
    if (agentId === "main" || Object.hasOwn(agents, agentId)) return agentId;
    throw new HttpError(
      404,
      "unknown_agent",
      `there is no agent ${agentId}; configured: ${[...new Set(["main", ...Object.keys(agents)])].join(", ")}.`,
    );
  }

  #open(sessionId: string, agentId: string): TurnSession {
    try {
      return new TurnSession({ log: this.#parts.sessions, observer: this.#parts.observer, id: sessionId, agentId });
    } catch (error) {
      throw storeFailure(error);
    }
  }

  #recordStart(
    session: TurnSession,
    facts: Omit<TurnEvent & { type: "turn_started" }, "type">,
    clientTools: OpenClientTools | undefined,
  ): number {
    try {
      return session.record({ type: "turn_started", ...facts });
    } catch (error) {
      clientTools?.close();
      throw storeFailure(error);
    }
  }

  #openClientTools(scope: RunScope, { clientTools = [] }: TurnRequest): OpenClientTools | undefined {
    if (clientTools.length === 0) return undefined;
    if (this.#parts.clientTools === undefined)
      throw new CodeModeError("invalid_input", "clientTools: this gateway takes no tools of clients.");
    return this.#parts.clientTools.open(scope, clientTools);
  }
}

function startFacts({ message, recovers }: TurnRequest): { message: string; recovers?: string } {
  return recovers === undefined ? { message } : { message, recovers };
}

function scopeOf(sessionId: string, agentId: string, { sender, channel }: TurnRequest): RunScope {
  return {
    agentId,
    sessionId,
    sessionKey: `${agentId}:${sessionId}`,
    agentRunId: randomUUID(),
    ...(sender === undefined ? {} : { sender }),
    ...(channel === undefined ? {} : { channel }),
  };
}
