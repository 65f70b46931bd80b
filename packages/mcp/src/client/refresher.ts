/** What a `Refresher` works on. */
export type RefresherOptions<Link> = {
  /** The connection that counts now. */
  current(): Link | undefined;
  /** Never rejects. */
  refresh(link: Link): Promise<void>;
};

/** Reads a list anew when it is said to have changed; what comes while that is under way is answered by one more reading. */
export class Refresher<Link> {
  readonly #options: RefresherOptions<Link>;
  #wanted = false;
  #running = false;

  constructor(options: RefresherOptions<Link>) {
    this.#options = options;
  }

  /** The list of a connection changed; one that does not count yet is read when it does. */
  request(link: Link): void {
    this.#wanted = true;
    void this.#run(link);
  }

  /** A connection counts from now on. */
  resume(link: Link): void {
    if (this.#wanted) void this.#run(link);
  }

  async #run(link: Link): Promise<void> {
    const { current, refresh } = this.#options;
    if (this.#running || current() !== link) return;
    this.#running = true;
    while (this.#wanted && current() === link) {
      this.#wanted = false;
      await refresh(link);
    }
    this.#running = false;
  }
}
