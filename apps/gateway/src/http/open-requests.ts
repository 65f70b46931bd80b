import type { Server } from "node:http";

/** Counts the requests of a server that are being answered; GET streams, which have no end, are left out. */
export class OpenRequests {
  #count = 0;
  readonly #waiting = new Set<() => void>();

  constructor(server: Server) {
    server.on("request", (request, response) => {
      if (request.method === "GET") return;
      this.#count += 1;
      response.once("close", () => this.#ended());
    });
  }

  /** Resolves when none is open, or after this time. */
  async done(timeoutMs: number): Promise<void> {
    if (this.#count === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    const timer = setTimeout(resolve, timeoutMs);
    await promise;
    clearTimeout(timer);
    this.#waiting.delete(resolve);
  }

  #ended(): void {
    this.#count -= 1;
    if (this.#count === 0) for (const resolve of this.#waiting) resolve();
  }
}
