import type { ResolvedCodeModeConfig } from "@code-mode/contract";
import { type CellPool, createCellPool } from "@code-mode/supervisor";

/**
 * The workers of a runtime. The memory limit is compiled into the engine, so each distinct limit needs workers of its
 * own; those of the runtime's own limit start at once, others with their first cell.
 */
export class CellPools {
  readonly #config: ResolvedCodeModeConfig;
  readonly #workerUrl: URL;
  readonly #pools = new Map<number, CellPool>();

  constructor(config: ResolvedCodeModeConfig, workerUrl: URL) {
    this.#config = config;
    this.#workerUrl = workerUrl;
    this.of(config);
  }

  /** The workers for cells with this configuration. */
  of({ memoryLimitBytes }: Pick<ResolvedCodeModeConfig, "memoryLimitBytes">): CellPool {
    const known = this.#pools.get(memoryLimitBytes);
    if (known !== undefined) return known;
    const pool = createCellPool({
      workerUrl: this.#workerUrl,
      memoryLimitBytes,
      size: this.#config.maxConcurrentCells,
    });
    this.#pools.set(memoryLimitBytes, pool);
    return pool;
  }

  /** Resolves when a program could run; rejects with `runtime_unavailable`. */
  ready(): Promise<void> {
    return this.of(this.#config).ready();
  }

  async dispose(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.dispose()));
  }
}
