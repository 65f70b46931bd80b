/** Work on one file happens one after the other: two edits at once would lose one of them. */
export class PathLocks {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs after all earlier work on this path has settled. */
  async run<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(path) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.#last.set(path, mine);
    try {
      return await mine;
    } finally {
      if (this.#last.get(path) === mine) this.#last.delete(path);
    }
  }
}
