import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CellQueue, type Ticket } from "../src/cell-queue.ts";

type NamedTicket = Ticket<string> & { readonly name: string };

function ticket(session: string, name: string, resumption = false): NamedTicket {
  return { session, name, resumption, grant: () => undefined };
}

function takeAll(queue: CellQueue<string>): string[] {
  const names: string[] = [];
  for (let next = queue.next(); next !== undefined; next = queue.next()) names.push((next as NamedTicket).name);
  return names;
}

describe("CellQueue", () => {
  it("RT-7 sessions take turns and cells of one session keep their order", () => {
    const queue = new CellQueue<string>();
    for (const [session, name] of ["a1", "a2", "a3", "b1", "c1", "b2"].map((id) => [id[0] as string, id] as const))
      queue.add(ticket(session, name));
    expect(takeAll(queue)).toEqual(["a1", "b1", "c1", "a2", "b2", "a3"]);
    expect(queue.size).toBe(0);
  });

  it("RT-7 resumptions of any session come before new cells", () => {
    const queue = new CellQueue<string>();
    queue.add(ticket("a", "new a"));
    queue.add(ticket("b", "back b", true));
    queue.add(ticket("a", "back a", true));
    expect(takeAll(queue)).toEqual(["back b", "back a", "new a"]);
  });

  it("a ticket that left is never taken, and leaving twice changes nothing", () => {
    const queue = new CellQueue<string>();
    const gone = ticket("a", "gone");
    queue.add(gone);
    queue.add(ticket("a", "stays"));
    queue.remove(gone);
    queue.remove(gone);
    expect(queue.size).toBe(1);
    expect(takeAll(queue)).toEqual(["stays"]);
    queue.remove(gone);
    expect(queue.size).toBe(0);
  });

  it("RT-7 whatever comes and goes, the order is fair and nothing is lost", () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ session: fc.constantFrom("a", "b", "c", "d"), resumption: fc.boolean() }) },
      { weight: 3, arbitrary: fc.constant("take" as const) },
      { weight: 1, arbitrary: fc.record({ leave: fc.nat(30) }) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const watch = new QueueWatch();
        for (const each of steps) {
          if (each === "take") watch.take();
          else if ("leave" in each) watch.leave(each.leave);
          else watch.add(each.session, each.resumption);
        }
        while (watch.waiting.length > 0) watch.take();
        expect(watch.queue.next()).toBeUndefined();
      }),
      { seed: 7, numRuns: 300 },
    );
  });
});

/** Judges each grant by the rules alone, without knowing how the queue works. */
class QueueWatch {
  readonly queue = new CellQueue<string>();
  waiting: NamedTicket[] = [];
  /** Per lane and waiting session: who was served since it last was, or since it began to wait. */
  readonly #served = new Map<string, string[]>();
  #count = 0;

  add(session: string, resumption: boolean): void {
    const added = ticket(session, `t${this.#count++}`, resumption);
    if (!this.#waits(laneOf(added))) this.#served.set(laneOf(added), []);
    this.waiting.push(added);
    this.queue.add(added);
    expect(this.queue.size).toBe(this.waiting.length);
  }

  leave(index: number): void {
    const [gone] = this.waiting.splice(index, 1);
    if (gone === undefined) return;
    this.queue.remove(gone);
    if (!this.#waits(laneOf(gone))) this.#served.delete(laneOf(gone));
    expect(this.queue.size).toBe(this.waiting.length);
  }

  take(): void {
    const taken = this.queue.next() as NamedTicket | undefined;
    if (taken === undefined || this.waiting.length === 0) {
      this.#assertBothEmpty(taken);
      return;
    }
    expect(taken.resumption).toBe(this.waiting.some((other) => other.resumption));
    expect(this.waiting.find((other) => laneOf(other) === laneOf(taken))).toBe(taken);
    this.waiting = this.waiting.filter((other) => other !== taken);
    for (const [lane, served] of this.#served) {
      if (lane === laneOf(taken) || lane[0] !== laneOf(taken)[0]) continue;
      expect(served).not.toContain(taken.session);
      served.push(taken.session);
    }
    if (this.#waits(laneOf(taken))) this.#served.set(laneOf(taken), []);
    else this.#served.delete(laneOf(taken));
  }

  #assertBothEmpty(taken: NamedTicket | undefined): void {
    expect(taken).toBeUndefined();
    expect(this.waiting).toEqual([]);
  }

  #waits(lane: string): boolean {
    return this.waiting.some((other) => laneOf(other) === lane);
  }
}

function laneOf({ resumption, session }: NamedTicket): string {
  return `${resumption ? "r" : "n"}${session}`;
}
