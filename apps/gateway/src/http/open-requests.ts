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

  /** Resolves when none is open. */
  async done(): Promise<void> {
    if (this.#count === 0) return;
    await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  #ended(): void {
    this.#count -= 1;
    if (this.#count > 0) return;
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}
