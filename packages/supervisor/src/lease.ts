import type { HostMessage, ThreadMessage } from "@code-mode/bridge";
import { fixedLimits } from "@code-mode/contract";
import type { UnsentOutput } from "./unsent-output.ts";
import type { ThreadEnd, WorkerHandle } from "./worker-handle.ts";

/** How a turn came back. */
export type TurnReply = Extract<ThreadMessage, { type: "turn" }>;

/** A thread that could not answer: ended by the watchdog or by itself. */
export type LostTurn = {
  readonly type: "lost";
  readonly end: ThreadEnd | "watchdog";
  /** What the program had written in its last turn. */
  readonly output?: UnsentOutput | undefined;
};

/** How packing came back. */
export type ParkReply = Extract<ThreadMessage, { type: "parked" | "park_failed" }> | LostTurn;

type CellMessage = Extract<HostMessage, { type: "start" | "resume" | "deliver" }>;

/** Loading a compiler and packing take a while on a loaded machine; only a hang takes longer than this. */
const housekeepingLimitMs = 20_000;

/** A worker in the hands of one cell, from start or resume until it is parked or over. */
export class Lease {
  readonly worker: WorkerHandle;
  readonly #release: (reusable: boolean) => void;
  #answer: ((message: ThreadMessage | LostTurn) => void) | undefined;
  #watchdog: NodeJS.Timeout | undefined;
  #watchdogAt = 0;
  /** When the running turn must be over. */
  #endsAt: number | undefined;
  #afterClock: (() => void) | undefined;
  #turn = 0;
  #released = false;
  #over = false;
  #stopRequested = false;
  /** When the thread's compiler was loaded and the cell's clock started, if this lease waited for it. */
  clockStartedAt: number | undefined;
  /** Called when another cell waits for a worker. */
  onDemand: (() => void) | undefined;

  constructor(worker: WorkerHandle, release: (reusable: boolean) => void) {
    this.worker = worker;
    this.#release = release;
    worker.attach({
      onMessage: (message) => this.#onMessage(message),
      onEnd: (end) => {
        const output = worker.unsentOutput(this.#turn);
        this.#settle({ type: "lost", end: this.#stopRequested ? "watchdog" : end, output });
      },
    });
  }

  tellDemand(): void {
    this.onDemand?.();
  }

  /** A number for the next turn. */
  nextTurn(): number {
    this.#turn = this.worker.nextTurn();
    return this.#turn;
  }

  /** Sends a turn and waits for the guest to be idle again; the watchdog ends the thread when it is not in time. */
  runTurn(message: CellMessage, transfer: ArrayBuffer[] = []): Promise<TurnReply | LostTurn> {
    const limitMs = message.budgetMs + fixedLimits.watchdogGraceMs;
    const waitsForCompiler = message.type === "start" && message.loadCompiler;
    return new Promise((resolve) => {
      this.#answer = (answer) => resolve(answer as TurnReply | LostTurn);
      if (!this.worker.alive) return this.#settle({ type: "lost", end: "crashed" });
      this.#watch(waitsForCompiler ? housekeepingLimitMs : limitMs);
      if (waitsForCompiler) this.#afterClock = () => this.#watch(limitMs);
      this.worker.post(message, transfer);
    });
  }

  /** Packs the idle VM. The VM stays live until `release`. */
  park(cellId: string): Promise<ParkReply> {
    return new Promise((resolve) => {
      this.#answer = (answer) => resolve(answer as ParkReply);
      if (!this.worker.alive) return this.#settle({ type: "lost", end: "crashed" });
      this.#watch(housekeepingLimitMs);
      this.worker.post({ type: "park", cellId });
    });
  }

  /** Stops the running guest: politely first, by ending the thread 250 ms later. */
  stop(): void {
    if (this.#answer === undefined) return;
    this.worker.interrupt(this.#turn);
    this.#watch(fixedLimits.watchdogGraceMs);
  }

  /** Gives the thread back; idempotent. */
  release(cellId: string): void {
    if (this.#released) return;
    this.#released = true;
    clearTimeout(this.#watchdog);
    this.#endsAt = undefined;
    this.onDemand = undefined;
    // A thread forgets an ended or packed cell by itself; waking it up for that would cost every cell a message.
    if (!this.#over) this.worker.post({ type: "drop", cellId });
    this.worker.attach(undefined);
    this.#release(this.worker.alive && !this.#stopRequested);
  }

  /** One timer serves many turns: it is set again only when it would be late, and looks at the time when it fires. */
  #watch(limitMs: number): void {
    const endsAt = performance.now() + limitMs;
    this.#endsAt = endsAt;
    if (this.#watchdog !== undefined && this.#watchdogAt <= endsAt) return;
    clearTimeout(this.#watchdog);
    this.#watchdogAt = endsAt;
    this.#watchdog = setTimeout(() => this.#onWatchdog(), limitMs);
    // The attached worker keeps the process alive for as long as a turn runs.
    this.#watchdog.unref();
  }

  #onWatchdog(): void {
    this.#watchdog = undefined;
    if (this.#endsAt === undefined) return;
    const leftMs = this.#endsAt - performance.now();
    if (leftMs > 0.5) this.#watch(leftMs);
    else {
      this.#stopRequested = true;
      void this.worker.terminate();
    }
  }

  #onMessage(message: ThreadMessage): void {
    if (message.type === "clock_started") {
      this.worker.compilerLoaded = true;
      this.clockStartedAt = performance.now();
      this.#afterClock?.();
      return;
    }
    if (message.type === "turn" && message.turn !== this.#turn) return;
    this.#over = message.type === "parked" || (message.type === "turn" && isEnd(message));
    this.#settle(message);
  }

  #settle(message: ThreadMessage | LostTurn): void {
    this.#endsAt = undefined;
    const answer = this.#answer;
    this.#answer = undefined;
    this.#afterClock = undefined;
    answer?.(message);
  }
}

function isEnd({ state }: TurnReply): boolean {
  return state.kind === "done" || state.kind === "fault";
}
