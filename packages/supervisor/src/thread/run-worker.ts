import { type MessagePort, parentPort } from "node:worker_threads";
import type { HostMessage, ThreadMessage, ThreadSetup } from "@code-mode/bridge";
import { messageOf, type PrepareSource } from "@code-mode/contract";
import { maxCatalogsPerThread } from "../catalog-cache.ts";
import { OutputNotes } from "../unsent-output.ts";
import { CellThread, type CellThreadOptions } from "./cell-thread.ts";
import type { CreateGuestCatalog, GuestCatalog } from "./guest-catalog.ts";
import { createGuestVm, type GuestVm, type StopReason } from "./guest-vm.ts";
import { createHostOperations } from "./host-operations.ts";

export type { CreateGuestCatalog, GuestCatalog } from "./guest-catalog.ts";

/** What the composing package gives the thread. */
export type WorkerParts = { readonly prepareSource: PrepareSource; readonly createGuestCatalog: CreateGuestCatalog };

type CellMessage = Extract<HostMessage, { type: "start" | "resume" | "deliver" }>;

/** Serves cells, one at a time, on the worker thread that calls it. */
export function runWorker(parts: WorkerParts): void {
  const port = parentPort;
  if (port === null) throw new Error("runWorker must be called on a worker thread");
  const worker = new WorkerThread(parts, port);
  port.on("message", (message: HostMessage) => void worker.handle(message));
  port.postMessage({ type: "online" } satisfies ThreadMessage);
}

class WorkerThread {
  readonly #parts: WorkerParts;
  readonly #port: MessagePort;
  readonly #catalogs = new Map<string, GuestCatalog>();
  #setup: ThreadSetup | undefined;
  #control: Int32Array<ArrayBufferLike> = new Int32Array(0);
  #notes: OutputNotes | undefined;
  #vm: GuestVm | undefined;
  #cell: CellThread | undefined;
  #deadline = 0;
  #turn = 0;

  constructor(parts: WorkerParts, port: MessagePort) {
    this.#parts = parts;
    this.#port = port;
  }

  async handle(message: HostMessage): Promise<void> {
    switch (message.type) {
      case "setup":
        return this.#prepare(message);
      case "catalog":
        return this.#keepCatalog(message.hash, message.text);
      case "park":
        return this.#cell?.park();
      case "drop":
        return this.#release();
      default:
        return this.#run(message);
    }
  }

  async #prepare(setup: ThreadSetup): Promise<void> {
    this.#setup = setup;
    this.#control = new Int32Array(setup.control);
    this.#notes = new OutputNotes(setup.outputNotes);
    try {
      this.#vm = await this.#createVm(setup);
      this.#post({ type: "ready" });
    } catch (error) {
      this.#post({ type: "setup_failed", message: messageOf(error) });
    }
  }

  async #run(message: CellMessage): Promise<void> {
    this.#turn = message.turn;
    if (message.type === "deliver") return this.#cell?.deliver(message);
    this.#release();
    this.#vm ??= await this.#createVm(this.#setup as ThreadSetup);
    const catalog = this.#catalogs.get(message.catalogHash) as GuestCatalog;
    const cell = new CellThread(message, this.#cellOptions(this.#vm, catalog));
    this.#cell = cell;
    return message.type === "start" ? cell.start(message) : cell.resume(message);
  }

  #cellOptions(vm: GuestVm, catalog: GuestCatalog): CellThreadOptions {
    return {
      vm,
      catalog,
      outputNotes: this.#notes as OutputNotes,
      prepareSource: this.#parts.prepareSource,
      post: (message) => this.#post(message),
      startClock: (budgetMs) => {
        this.#deadline = performance.now() + budgetMs;
      },
    };
  }

  /** The cell is over or packed; an instance that grew or broke is not used again. */
  #release(): void {
    this.#cell = undefined;
    if (this.#vm?.reusable === false) this.#vm = undefined;
  }

  #keepCatalog(hash: string, text: string): void {
    if (this.#catalogs.size >= maxCatalogsPerThread)
      this.#catalogs.delete(this.#catalogs.keys().next().value as string);
    this.#catalogs.set(hash, this.#parts.createGuestCatalog(text));
  }

  #createVm(setup: ThreadSetup): Promise<GuestVm> {
    return createGuestVm({
      ...setup,
      host: createHostOperations(() => this.#cell, setup.lazySources),
      shouldStop: () => this.#shouldStop(),
    });
  }

  #shouldStop(): StopReason | undefined {
    if (Atomics.load(this.#control, 0) === this.#turn) return "aborted";
    return performance.now() > this.#deadline ? "timeout" : undefined;
  }

  #post(message: ThreadMessage): void {
    const transfer = message.type === "parked" ? [message.packed.bytes.buffer as ArrayBuffer] : [];
    this.#port.postMessage(message, transfer);
  }
}
