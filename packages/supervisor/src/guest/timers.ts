import {
  apply,
  MapConstructor,
  mapDelete,
  mapForEach,
  mapGet,
  mapSet,
  mapSize,
  max,
  min,
  NumberOf,
  now,
  TypeErrorConstructor,
} from "./intrinsics.ts";

type Timer = {
  readonly callback: unknown;
  readonly args: unknown[];
  dueAt: number;
  readonly everyMs: number | undefined;
};

/** Timers beyond this are a leak in the program. */
const maxTimers = 10_000;

/** Longest delay: larger ones wrap to 1 ms in browsers and Node, which is never what was meant. */
const maxDelayMs = 2_147_483_647;

/** Wall-clock timers that live in the VM: they survive a wait and fire, when due, on resume (GUEST-7). */
export class Timers {
  readonly #timers = new MapConstructor<number, Timer>();
  #nextId = 1;

  get count(): number {
    return mapSize(this.#timers);
  }

  set(name: "setTimeout" | "setInterval", callback: unknown, delayMs: unknown, args: unknown[]): number {
    if (typeof callback !== "function")
      throw new TypeErrorConstructor(`${name}(callback, delayMs): the callback must be a function`);
    if (this.count >= maxTimers) throw new TypeErrorConstructor(`${name}: more than ${maxTimers} timers are pending`);
    const delay = NumberOf(delayMs);
    const clean = delay >= 0 ? min(delay, maxDelayMs) : 0;
    const id = this.#nextId++;
    mapSet(this.#timers, id, {
      callback,
      args,
      dueAt: now() + clean,
      everyMs: name === "setInterval" ? max(clean, 1) : undefined,
    });
    return id;
  }

  clear(id: unknown): void {
    mapDelete(this.#timers, id as number);
  }

  /** Runs the earliest due timer; false when none is due. An exception of the callback passes through. */
  fireNext(): boolean {
    const time = now();
    const id = this.#earliest();
    const timer = id === undefined ? undefined : mapGet(this.#timers, id);
    if (id === undefined || timer === undefined || timer.dueAt > time) return false;
    if (timer.everyMs === undefined) mapDelete(this.#timers, id);
    else timer.dueAt = time + timer.everyMs;
    apply(timer.callback, undefined, timer.args);
    return true;
  }

  /** Milliseconds until the next timer is due, `undefined` without timers. */
  nextDelayMs(): number | undefined {
    const id = this.#earliest();
    if (id === undefined) return undefined;
    const delay = (mapGet(this.#timers, id) as Timer).dueAt - now();
    return max(delay, 0);
  }

  #earliest(): number | undefined {
    let best: number | undefined;
    let bestDueAt = 0;
    mapForEach(this.#timers, (timer, id) => {
      if (best !== undefined && timer.dueAt >= bestDueAt) return;
      best = id;
      bestDueAt = timer.dueAt;
    });
    return best;
  }
}
