import { Worker } from "node:worker_threads";
import type { HostMessage, SharedSetup, ThreadMessage } from "@code-mode/bridge";
import { CodeModeError } from "@code-mode/contract";
import { maxCatalogsPerThread } from "./catalog-cache.ts";
import { threadExecArgv } from "./thread-exec-argv.ts";
import { OutputNotes, type UnsentOutput } from "./unsent-output.ts";

/** How a thread ended, as far as its cell is concerned. */
export type ThreadEnd = "terminated" | "out_of_memory" | "crashed";

type CellListener = { onMessage(message: ThreadMessage): void; onEnd(end: ThreadEnd): void };

/** Heap of the thread itself; WASM memory is not counted. The stack must hold QuickJS's 256 KiB plus JavaScript frames. */
const resourceLimits = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16, stackSizeMb: 8 };

/** What a thread is started with. */
export type WorkerHandleOptions = {
  /** The worker file: a bundle, or a `.ts` source in tests. */
  readonly url: URL;
  /** The engine and the template, built while the thread boots. */
  readonly setup: Promise<SharedSetup>;
};

/** One worker thread as the pool sees it. */
export class WorkerHandle {
  readonly #worker: Worker;
  readonly #control = new SharedArrayBuffer(4);
  readonly #notes = new OutputNotes();
  readonly #catalogs = new Set<string>();
  readonly #ready = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<ThreadEnd>();
  #cell: CellListener | undefined;
  #endReason: ThreadEnd = "crashed";
  /** The compiler was loaded on this thread: a TypeScript cell's clock may start at once. */
  compilerLoaded = false;
  alive = true;
  #turn = 0;

  constructor({ url, setup }: WorkerHandleOptions) {
    this.#worker = new Worker(url, {
      env: {},
      execArgv: threadExecArgv(process.execArgv),
      stdin: false,
      // Captured and never read: nothing of a worker reaches the process's own streams, and a stream that is read
      // would keep the process alive.
      stdout: true,
      stderr: true,
      resourceLimits,
      trackUnmanagedFds: true,
      name: "code-mode-cell",
    });
    this.#worker.on("message", (message: ThreadMessage) => this.#onMessage(message));
    this.#worker.on("error", (error: Error & { code?: string }) => {
      this.#endReason = error.code === "ERR_WORKER_OUT_OF_MEMORY" ? "out_of_memory" : "crashed";
      this.#ready.reject(new CodeModeError("runtime_unavailable", `a code mode worker failed: ${error.message}`));
    });
    this.#worker.on("exit", () => this.#onExit());
    this.#ready.promise.catch(() => undefined);
    setup.then(
      (parts) => this.post({ type: "setup", ...parts, control: this.#control, outputNotes: this.#notes.buffer }),
      (error: unknown) => this.#ready.reject(error),
    );
  }

  /** Resolves when the thread can run cells; rejects with `runtime_unavailable`. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** Resolves when the thread is gone. */
  get ended(): Promise<ThreadEnd> {
    return this.#ended.promise;
  }

  post(message: HostMessage, transfer: ArrayBuffer[] = []): void {
    if (this.alive) this.#worker.postMessage(message, transfer);
  }

  /** Number of the next turn: an interrupt meant for one turn never hits another. */
  nextTurn(): number {
    this.#turn = this.#turn === 0x7fff_ffff ? 1 : this.#turn + 1;
    return this.#turn;
  }

  /** Sends a catalog's text unless the thread has it. */
  ensureCatalog(hash: string, text: string): void {
    if (this.#catalogs.has(hash)) return;
    if (this.#catalogs.size >= maxCatalogsPerThread)
      this.#catalogs.delete(this.#catalogs.values().next().value as string);
    this.#catalogs.add(hash);
    this.post({ type: "catalog", hash, text });
  }

  /** Routes messages to the cell that has the thread now. */
  attach(listener: CellListener | undefined): void {
    this.#cell = listener;
    if (listener === undefined) this.#worker.unref();
    else this.#worker.ref();
  }

  /** Output of a turn whose message never came. */
  unsentOutput(turn: number): UnsentOutput | undefined {
    return this.#notes.read(turn);
  }

  /** Asks the guest of this turn to stop at its next interrupt poll. */
  interrupt(turn: number): void {
    Atomics.store(new Int32Array(this.#control), 0, turn);
  }

  /** Ends the thread, whatever it does; resolves when it is gone. */
  async terminate(): Promise<void> {
    this.#endReason = "terminated";
    await this.#worker.terminate();
  }

  unref(): void {
    this.#worker.unref();
  }

  #onMessage(message: ThreadMessage): void {
    if (message.type === "ready") this.#ready.resolve();
    else if (message.type === "setup_failed")
      this.#ready.reject(
        new CodeModeError("runtime_unavailable", `QuickJS-WASI could not be started on a worker: ${message.message}`),
      );
    else this.#cell?.onMessage(message);
  }

  #onExit(): void {
    this.alive = false;
    this.#ready.reject(new CodeModeError("runtime_unavailable", "a code mode worker ended while it started"));
    this.#ended.resolve(this.#endReason);
    const cell = this.#cell;
    this.#cell = undefined;
    cell?.onEnd(this.#endReason);
  }
}
