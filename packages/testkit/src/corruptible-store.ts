import type { SnapshotStore, StoredSnapshot } from "@code-mode/contract";

/** A snapshot store in memory whose bytes can be damaged, for cases of a broken restore. */
export class CorruptibleStore implements SnapshotStore {
  readonly #stored = new Map<string, StoredSnapshot>();

  async put(runId: string, { blob, state }: StoredSnapshot): Promise<void> {
    this.#stored.set(runId, { blob: blob.slice(), state: structuredClone(state) });
  }

  async claim(runId: string): Promise<StoredSnapshot | undefined> {
    const found = this.#stored.get(runId);
    this.#stored.delete(runId);
    return found;
  }

  async delete(runId: string): Promise<void> {
    this.#stored.delete(runId);
  }

  /** Flips one byte in the middle of every stored snapshot and drops the last quarter. */
  corrupt(): void {
    for (const [runId, { blob, state }] of this.#stored) {
      const damaged = blob.slice(0, Math.ceil(blob.length * 0.75));
      const middle = damaged.length >> 1;
      damaged[middle] = (damaged[middle] ?? 0) ^ 0xff;
      this.#stored.set(runId, { blob: damaged, state });
    }
  }
}
