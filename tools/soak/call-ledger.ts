/** The tools' own record of their calls, by key: what the guest was told is checked against it. */
export class CallLedger {
  readonly #open = new Map<string, { starts: number; release: PromiseWithResolvers<void> | undefined }>();
  #doubles = 0;
  #losses = 0;

  get doubles(): number {
    return this.#doubles;
  }

  get losses(): number {
    return this.#losses;
  }

  /** A cell is about to run that must make exactly one call with this key; `held` calls stay open until released. */
  expect(key: string, held: boolean): void {
    this.#open.set(key, { starts: 0, release: held ? Promise.withResolvers<void>() : undefined });
  }

  /** A tool was called; resolves when its reply may go out. */
  async started(key: string): Promise<void> {
    const entry = this.#open.get(key);
    // A key that is settled, or that nobody expects: the call ran again.
    if (entry === undefined || ++entry.starts > 1) this.#doubles++;
    await entry?.release?.promise;
  }

  /** Lets a held call end. */
  release(key: string): void {
    this.#open.get(key)?.release?.resolve();
  }

  /** The cell has ended: its call must have run, and `delivered` says whether the guest got the reply it should have. */
  settle(key: string, delivered: boolean): void {
    const entry = this.#open.get(key);
    if (entry === undefined || entry.starts === 0 || !delivered) this.#losses++;
    this.#open.delete(key);
  }
}
