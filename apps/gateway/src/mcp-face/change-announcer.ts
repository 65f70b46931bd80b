import type { FaceSession } from "@code-mode/mcp";

/** Options of `ChangeAnnouncer`. */
export type ChangeAnnouncerOptions = {
  /** Calls `listener` when tools may have changed. Returns how to stop. */
  subscribe(listener: () => void): (() => void) | undefined;
  /** A session that nobody uses: where its tools look different, those of clients without a session do too. */
  readonly sample: FaceSession;
  /** The list of clients without a session looks different. */
  onChange(): void;
  /** Tells the clients that have a session. */
  announce(): Promise<void>;
  onError(error: Error): void;
};

/** Many changes come at once while servers start: they are told as one. */
const delayMs = 200;

/** Tells HTTP clients of both eras when the list of tools looks different now. */
export class ChangeAnnouncer implements Disposable {
  readonly #options: ChangeAnnouncerOptions;
  #watching = false;
  #stop: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ChangeAnnouncerOptions) {
    this.#options = options;
  }

  /** Begins with the first client: before that there is nobody to tell. */
  watch(): void {
    if (this.#watching) return;
    this.#watching = true;
    this.#options.sample.tools().catch((error: Error) => this.#options.onError(error));
    this.#stop = this.#options.subscribe(() => {
      this.#timer ??= setTimeout(() => void this.#tell(), delayMs).unref();
    });
  }

  [Symbol.dispose](): void {
    this.#watching = true;
    clearTimeout(this.#timer);
    this.#stop?.();
  }

  async #tell(): Promise<void> {
    this.#timer = undefined;
    try {
      if (await this.#options.sample.refresh()) this.#options.onChange();
      await this.#options.announce();
    } catch (error) {
      this.#options.onError(error instanceof Error ? error : new Error(String(error)));
    }
  }
}
