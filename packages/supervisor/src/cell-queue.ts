/** One cell that waits for a worker. */
export type Ticket<T> = { readonly session: string; readonly resumption: boolean; grant(item: T): void };

/** Who gets the next worker: resumptions before new cells, sessions in turn, oldest first within a session (RT-7). */
export class CellQueue<T> {
  readonly #lanes = [new Map<string, Set<Ticket<T>>>(), new Map<string, Set<Ticket<T>>>()] as const;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(ticket: Ticket<T>): void {
    const lane = this.#laneOf(ticket);
    const waiting = lane.get(ticket.session);
    if (waiting === undefined) lane.set(ticket.session, new Set([ticket]));
    else waiting.add(ticket);
    this.#size++;
  }

  remove(ticket: Ticket<T>): void {
    const lane = this.#laneOf(ticket);
    const waiting = lane.get(ticket.session);
    if (waiting?.delete(ticket) !== true) return;
    this.#size--;
    if (waiting.size === 0) lane.delete(ticket.session);
  }

  next(): Ticket<T> | undefined {
    for (const lane of this.#lanes) {
      const first = lane.entries().next();
      if (first.done) continue;
      const [session, waiting] = first.value;
      const ticket = waiting.values().next().value as Ticket<T>;
      this.remove(ticket);
      // The session goes to the end of the line.
      if (waiting.size > 0) {
        lane.delete(session);
        lane.set(session, waiting);
      }
      return ticket;
    }
    return undefined;
  }

  #laneOf(ticket: Ticket<T>): Map<string, Set<Ticket<T>>> {
    return ticket.resumption ? this.#lanes[0] : this.#lanes[1];
  }
}
