import { messageOf } from "@code-mode/contract";
import type { SessionLog } from "../store/session-log.ts";
import type { SessionEvent } from "../store/transcript-store.ts";
import { HeardText } from "./heard-text.ts";
import type { RunningTurn } from "./running-turn.ts";
import { streamEventName } from "./stream-event-name.ts";

/** Whose events go to a client, and from where on. */
export type TurnStreamOptions = {
  readonly log: SessionLog;
  readonly turns: { running(sessionId: string): RunningTurn | undefined };
  readonly sessionId: string;
  /** The last event that the client has; -1 for none. */
  readonly after: number;
  /** Go on when no turn runs any more. */
  readonly follow?: boolean;
  /** The client is too far behind and hears no more: what stands ready may be thrown away. */
  onCut?(): void;
  readonly limits?: { readonly heartbeatMs?: number; readonly maxBehindBytes?: number };
};

/** Silence after which a comment is sent: dead connections show only when something is written. */
const defaultHeartbeatMs = 15_000;
/** A client that is further behind is cut off and may attach again: its backlog would stand in memory. */
const defaultMaxBehindBytes = 1024 * 1024;
/** Events that are read from the store at once. */
const pageSize = 50;

/**
 * Server-sent events of one session (GW-3): durable events after `after`, each with its `seq` as id, then what happens
 * live, with the text as it is written. Ends after the event `done` of the running turn, unless it follows.
 */
export function turnStream(options: TurnStreamOptions): ReadableStream<Uint8Array> {
  const stream = new TurnStream(options);
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => stream.start(controller),
      pull: () => stream.pull(),
      cancel: () => stream.stop(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: 16 * 1024 }),
  );
}

type Outcome = {
  readonly agentRunId: string;
  readonly status: "completed" | "failed" | "aborted";
  readonly text?: string;
};

class TurnStream {
  readonly #options: TurnStreamOptions;
  readonly #encoder = new TextEncoder();
  readonly #ending: (() => void)[] = [];
  readonly #text = new HeardText();
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #turn: RunningTurn | undefined;
  #lastSeq: number;
  #isLive = false;
  #request = -1;
  #endedRun: unknown;
  #outcome: Outcome | undefined;

  constructor(options: TurnStreamOptions) {
    this.#options = options;
    this.#lastSeq = options.after;
  }

  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    const { log, sessionId, limits } = this.#options;
    this.#controller = controller;
    this.#ending.push(log.subscribe(sessionId, (_id, event) => this.#onEvent(event)));
    const heartbeat = setInterval(() => this.#write(": alive\n\n"), limits?.heartbeatMs ?? defaultHeartbeatMs);
    heartbeat.unref();
    this.#ending.push(() => clearInterval(heartbeat));
    this.#attach();
    this.#write(": open\n\n");
  }

  /** Reads the past in pages as fast as the client takes them; then the present comes by itself. */
  pull(): void {
    const { log, sessionId } = this.#options;
    while (!this.#isLive && (this.#controller?.desiredSize ?? 0) > 0) {
      const page = log.events(sessionId, { after: this.#lastSeq, limit: pageSize });
      for (const event of page) this.#send(event);
      if (page.length < pageSize) this.#goLive();
    }
  }

  #goLive(): void {
    this.#isLive = true;
    const turn = this.#turn;
    if (turn !== undefined && turn.agentRunId !== this.#endedRun) {
      if (turn.replySoFar !== "") this.#hear(turn.replySoFar, turn);
      this.#endUnrecorded();
    } else if (this.#options.follow !== true) this.#close();
  }

  stop(): void {
    this.#controller = undefined;
    for (const end of this.#ending.splice(0)) end();
  }

  /** Hears the turn that runs now. */
  #attach(): void {
    const turn = this.#options.turns.running(this.#options.sessionId);
    if (turn === undefined || turn === this.#turn) return;
    this.#turn = turn;
    this.#ending.push(
      turn.onText((delta) => {
        if (this.#isLive) this.#hear(delta, turn);
      }),
    );
    turn.done.then(
      () => this.#onSettled({ agentRunId: turn.agentRunId, status: "completed" }),
      (error: unknown) => this.#onSettled({ agentRunId: turn.agentRunId, status: "failed", text: messageOf(error) }),
    );
  }

  #onEvent(event: SessionEvent): void {
    // until the past is told, the pages bring this event too
    if (!this.#isLive || event.seq <= this.#lastSeq) return;
    if (event.type === "turn_started") this.#attach();
    this.#send(event);
    if (event.type === "turn_ended" && this.#options.follow !== true) this.#close();
    else this.#say(this.#text.release(event.seq));
  }

  #onSettled(outcome: Outcome): void {
    this.#outcome = outcome;
    if (this.#isLive) this.#endUnrecorded();
  }

  /** A turn whose end could not be written down ends its stream nevertheless. */
  #endUnrecorded(): void {
    const outcome = this.#outcome;
    this.#outcome = undefined;
    if (outcome === undefined || outcome.agentRunId === this.#endedRun) return;
    this.#endedRun = outcome.agentRunId;
    this.#event("done", outcome);
    if (this.#options.follow !== true) this.#close();
  }

  #send(event: SessionEvent): void {
    this.#lastSeq = event.seq;
    if (event.type === "turn_ended") this.#endedRun = event.agentRunId;
    if (event.type === "model_request") this.#request = event.seq;
    if (event.type === "text" && this.#text.isHeard(this.#request)) {
      // moves the client's Last-Event-ID on without an event
      this.#write(`id: ${event.seq}\n\n`);
      return;
    }
    const name = streamEventName(event.type);
    if (name === undefined) return;
    const data = name === "text" ? { ...event, delta: event.text, offset: 0 } : event;
    this.#event(name, data, event.seq);
  }

  #hear(delta: string, { replyFrom }: RunningTurn): void {
    // a client that attached behind the request never sees it pass
    if (this.#lastSeq >= replyFrom) this.#request = replyFrom;
    this.#say(this.#text.add(delta, replyFrom, this.#lastSeq));
  }

  #say(pieces: readonly { readonly delta: string; readonly offset: number }[]): void {
    for (const piece of pieces) this.#event("text", piece);
  }

  #event(name: string, data: object, id?: number): void {
    this.#write(`event: ${name}\n${id === undefined ? "" : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`);
  }

  #write(text: string): void {
    const controller = this.#controller;
    if (controller === undefined) return;
    const limit = this.#options.limits?.maxBehindBytes ?? defaultMaxBehindBytes;
    // the past comes as fast as it is read; and one large event alone does not make a client slow
    if (!this.#isLive || (controller.desiredSize ?? 0) >= -limit) {
      controller.enqueue(this.#encoder.encode(text));
      return;
    }
    this.#close();
    this.#options.onCut?.();
  }

  #close(): void {
    const controller = this.#controller;
    this.stop();
    controller?.close();
  }
}
