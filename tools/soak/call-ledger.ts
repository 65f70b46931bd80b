import type { CodeModeResult } from "../../packages/contract/src/index.ts";

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

  /**
   * The cell has ended. Its call must have run, and `delivered` says whether the guest got the reply it should have. A
   * cell that failed before its call lost nothing, as long as its result claims no call either.
   */
  settle(key: string, { result, delivered }: { readonly result: CodeModeResult; readonly delivered: boolean }): void {
    const starts = this.#open.get(key)?.starts ?? 0;
    const isToldSo = result.status === "failed" && claimedCalls(result) === 0;
    if (!delivered || (starts === 0 && !isToldSo)) this.#losses++;
    this.#open.delete(key);
  }
}

/** Calls that the result says were begun. */
function claimedCalls({ telemetry: { calls } }: CodeModeResult): number {
  return calls === undefined ? 0 : calls.completed + calls.failed + calls.pending;
}
