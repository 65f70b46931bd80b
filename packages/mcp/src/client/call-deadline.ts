import { mcpLimits } from "./mcp-limits.ts";

/**
 * The time of one call: so much silence, and ten times that in all. It stands still while a human is asked, whose time is
 * not the server's.
 */
export class CallDeadline implements Disposable {
  readonly timeoutMs: number;
  readonly capMs: number;
  readonly #over = new AbortController();
  #idleTimer: NodeJS.Timeout | undefined;
  #capTimer: NodeJS.Timeout | undefined;
  #capLeftMs: number;
  #runningSince = 0;
  #pauses = 0;
  #ended: "silence" | "cap" | undefined;

  constructor(timeoutMs: number) {
    this.timeoutMs = timeoutMs;
    this.capMs = timeoutMs * mcpLimits.absoluteCapFactor;
    this.#capLeftMs = this.capMs;
    this.#run();
  }

  /** Aborts when the time is over. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /** Which limit was reached, if one was. */
  get ended(): "silence" | "cap" | undefined {
    return this.#ended;
  }

  /** A sign of life: the time of silence starts anew. */
  touch(): void {
    if (this.#pauses === 0 && this.#ended === undefined) this.#idleTimer?.refresh();
  }

  /** Stops the clock until the returned function is called. */
  pause(): () => void {
    this.#pauses += 1;
    if (this.#pauses === 1) this.#halt();
    let resumed = false;
    return () => {
      if (resumed) return;
      resumed = true;
      this.#pauses -= 1;
      if (this.#pauses === 0) this.#run();
    };
  }

  [Symbol.dispose](): void {
    this.#pauses = Number.MAX_SAFE_INTEGER;
    clearTimeout(this.#idleTimer);
    clearTimeout(this.#capTimer);
  }

  #run(): void {
    this.#runningSince = performance.now();
    this.#idleTimer = setTimeout(() => this.#end("silence"), this.timeoutMs);
    this.#capTimer = setTimeout(() => this.#end("cap"), this.#capLeftMs);
  }

  #halt(): void {
    clearTimeout(this.#idleTimer);
    clearTimeout(this.#capTimer);
    this.#capLeftMs = Math.max(0, this.#capLeftMs - (performance.now() - this.#runningSince));
  }

  #end(limit: "silence" | "cap"): void {
    this.#ended = limit;
    this.#over.abort();
  }
}
