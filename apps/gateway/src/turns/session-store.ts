import type { CellEvent, CellObserver } from "@code-mode/contract";
import { createTrajectoryRecorder, type RedactOptions, redact } from "@code-mode/telemetry";
import type { ModelMessage } from "ai";
import { isTurnEvent, type TurnEvent } from "./turn-event.ts";

/** One line of a session's trajectory: what happened, when, in which order; without secrets. */
export type SessionEvent = {
  readonly seq: number;
  readonly at: string;
  readonly type: string;
  readonly [key: string]: unknown;
};

/** A conversation. */
export type Session = {
  readonly id: string;
  readonly messages: ModelMessage[];
  readonly events: readonly SessionEvent[];
  busy: boolean;
  record(event: TurnEvent | CellEvent): void;
};

/** Most events kept of one session; older ones are dropped, because all of this lives in memory. */
const maxEvents = 10_000;

/** All sessions of a gateway, in memory. */
export class SessionStore {
  readonly #sessions = new Map<string, Session>();
  readonly #redaction: RedactOptions;

  /** @param redaction secrets of the configuration, which no trajectory may hold */
  constructor(redaction: RedactOptions = {}) {
    this.#redaction = redaction;
  }

  /** The session with this id, created on first use. */
  open(id: string): Session {
    const found = this.#sessions.get(id);
    if (found !== undefined) return found;
    const session = createSession(id, this.#redaction);
    this.#sessions.set(id, session);
    return session;
  }

  /** The session with this id, if there is one. */
  find(id: string): Session | undefined {
    return this.#sessions.get(id);
  }

  /** Sends the events of each cell to the trajectory of its session; cells of sessions that are not open are none of ours. */
  get observer(): CellObserver {
    const sessionOf = new Map<string, string>();
    return {
      onCellEvent: (event) => {
        if ("scope" in event) sessionOf.set(event.cellId, event.scope.sessionId);
        this.#sessions.get(sessionOf.get(event.cellId) ?? "")?.record(event);
        if (event.type === "cell_result" && event.result.status !== "waiting") sessionOf.delete(event.cellId);
      },
    };
  }
}

function createSession(id: string, redaction: RedactOptions): Session {
  const events: SessionEvent[] = [];
  let seq = 0;
  const keep = (facts: object): void => {
    events.push({ ...(facts as Omit<SessionEvent, "seq">), seq: seq++ } as SessionEvent);
    if (events.length > maxEvents) events.shift();
  };
  const cells = createTrajectoryRecorder({ ...redaction, write: (line) => keep(JSON.parse(line) as object) });
  return {
    id,
    messages: [],
    events,
    busy: false,
    record(event) {
      if (isTurnEvent(event)) keep({ seq, at: new Date().toISOString(), ...(redact(event, redaction) as object) });
      else cells.onCellEvent(event);
    },
  };
}
