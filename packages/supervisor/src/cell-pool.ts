import type { SharedSetup } from "@code-mode/bridge";
import { CodeModeError } from "@code-mode/contract";
import { CellQueue, type Ticket } from "./cell-queue.ts";
import { loadEngineParts } from "./engine-parts.ts";
import { Lease } from "./lease.ts";
import { WorkerHandle } from "./worker-handle.ts";

/** Options of `createCellPool`. */
export type CellPoolOptions = {
  /** File of the worker, which must call `runWorker`. */
  readonly workerUrl: URL;
  readonly memoryLimitBytes: number;
  /** Guests that may compute at once. */
  readonly size: number;
};

/** Who asks for a worker. */
export type AcquireOptions = {
  readonly session: string;
  readonly resumption: boolean;
  readonly signal: AbortSignal;
  /** Leave the queue after this long; without it, wait however long it takes. */
  readonly withinMs?: number | undefined;
};

/** Why a ticket leaves the queue at its deadline. */
const tooLate = Symbol("too late");

/** Attempts to replace a worker that dies while starting, before cells are told so. */
const maxStartFailures = 3;

/** Warm worker threads, one running guest each, and a spare that takes over when one must be ended. */
export class CellPool {
  readonly #options: CellPoolOptions;
  readonly #setup: Promise<SharedSetup>;
  readonly #queue = new CellQueue<WorkerHandle>();
  readonly #idle: WorkerHandle[] = [];
  readonly #all = new Set<WorkerHandle>();
  readonly #leases = new Set<Lease>();
  readonly #waiting = new Set<(reason: unknown) => void>();
  /** Idle workers do not keep the process alive, but a cell that waits for one must. */
  #keepAlive: NodeJS.Timeout | undefined;
  #busy = 0;
  #starting = 0;
  #startFailures = 0;
  #closed = false;

  constructor(options: CellPoolOptions) {
    this.#options = options;
    // The first thread boots while the engine is compiled.
    const parts = Promise.withResolvers<SharedSetup>();
    this.#setup = parts.promise;
    this.#setup.catch(() => undefined);
    this.#startWorker();
    loadEngineParts(options.memoryLimitBytes).then(parts.resolve, parts.reject);
  }

  /** Id of the image that packed VMs of this pool belong to. */
  async templateId(): Promise<string> {
    return (await this.#setup).template.id;
  }

  /** Cells that wait for a worker: holders of idle VMs should let go. */
  get hasDemand(): boolean {
    return this.#queue.size > 0;
  }

  /** Resolves when a cell could run; rejects with `runtime_unavailable`. */
  async ready(): Promise<void> {
    const hold = (): void => undefined;
    this.#startWaiting(hold);
    try {
      await this.#setup;
      const first = this.#all.values().next().value;
      if (first !== undefined) await first.ready;
    } finally {
      this.#stopWaiting(hold);
    }
  }

  /**
   * A worker for one cell. Queueing never fails a cell; only abort, dispose or an engine that cannot start do. Nothing
   * when `withinMs` passed before a worker was free.
   */
  acquire(options: AcquireOptions & { readonly withinMs?: never }): Promise<Lease>;
  acquire(options: AcquireOptions): Promise<Lease | undefined>;
  acquire({ session, resumption, signal, withinMs }: AcquireOptions): Promise<Lease | undefined> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      if (this.#closed) return reject(closedError());
      if (withinMs !== undefined && withinMs <= 0) return resolve(undefined);
      let timer: NodeJS.Timeout | undefined;
      const settled = (): void => {
        this.#stopWaiting(leave);
        signal.removeEventListener("abort", onAbort);
        clearTimeout(timer);
      };
      const leave = (reason: unknown): void => {
        this.#queue.remove(ticket);
        settled();
        if (reason === tooLate) resolve(undefined);
        else reject(reason);
      };
      const onAbort = (): void => leave(signal.reason);
      const ticket: Ticket<WorkerHandle> = {
        session,
        resumption,
        grant: (worker) => {
          settled();
          resolve(this.#lease(worker));
        },
      };
      signal.addEventListener("abort", onAbort);
      this.#startWaiting(leave);
      this.#queue.add(ticket);
      this.#serve();
      if (withinMs !== undefined && this.#waiting.has(leave)) timer = setTimeout(leave, withinMs, tooLate);
      if (this.#queue.size > 0) for (const lease of this.#leases) lease.tellDemand();
    });
  }

  /** Ends every thread and refuses new cells. */
  async dispose(): Promise<void> {
    this.#closed = true;
    for (const leave of [...this.#waiting]) leave(closedError());
    await Promise.all([...this.#all].map((worker) => worker.terminate()));
  }

  #startWaiting(leave: (reason: unknown) => void): void {
    this.#waiting.add(leave);
    this.#keepAlive ??= setInterval(() => undefined, 0x7fff_ffff);
  }

  #stopWaiting(leave: (reason: unknown) => void): void {
    this.#waiting.delete(leave);
    if (this.#waiting.size > 0) return;
    clearInterval(this.#keepAlive);
    this.#keepAlive = undefined;
  }

  #lease(worker: WorkerHandle): Lease {
    const lease = new Lease(worker, (reusable) => {
      this.#leases.delete(lease);
      this.#busy--;
      if (reusable && worker.alive) this.#idle.push(worker);
      this.#serve();
    });
    this.#leases.add(lease);
    return lease;
  }

  #serve(): void {
    while (this.#queue.size > 0 && this.#busy < this.#options.size && !this.#closed) {
      const worker = this.#idle.pop();
      if (worker === undefined) break;
      if (!worker.alive) continue;
      this.#busy++;
      this.#queue.next()?.grant(worker);
    }
    this.#keepWarm();
  }

  /** Workers wanted: one per running cell and per waiting one within the limit, plus a spare once the pool has work. */
  #keepWarm(): void {
    if (this.#closed) return;
    const running = Math.min(this.#options.size, this.#busy + this.#queue.size);
    const wanted = this.#busy > 0 || this.#queue.size > 0 ? running + 1 : 1;
    const have = this.#busy + this.#idle.length + this.#starting;
    if (have < wanted && this.#starting === 0) this.#startWorker();
  }

  #startWorker(): void {
    const worker = new WorkerHandle({ url: this.#options.workerUrl, setup: this.#setup });
    this.#starting++;
    this.#all.add(worker);
    worker.unref();
    let counted = true;
    const started = (): void => {
      if (counted) this.#starting--;
      counted = false;
    };
    worker.ready.then(
      () => {
        started();
        this.#startFailures = 0;
        this.#idle.push(worker);
        this.#serve();
      },
      (error: unknown) => {
        started();
        this.#onStartFailure(error);
      },
    );
    void worker.ended.then(() => {
      this.#all.delete(worker);
      const at = this.#idle.indexOf(worker);
      if (at !== -1) this.#idle.splice(at, 1);
      this.#keepWarm();
    });
  }

  #onStartFailure(error: unknown): void {
    if (this.#closed) return;
    this.#startFailures++;
    if (this.#startFailures >= maxStartFailures || this.#all.size === 0)
      for (const leave of [...this.#waiting]) leave(error);
    if (this.#startFailures < maxStartFailures) this.#keepWarm();
  }
}

function closedError(): CodeModeError {
  return new CodeModeError("aborted", "code mode was shut down");
}

/** A pool whose first worker starts at once. */
export function createCellPool(options: CellPoolOptions): CellPool {
  return new CellPool(options);
}
