import type { SnapshotStore, StoredSnapshot, SuspendedState } from "@code-mode/contract";

/** A store in this process, with what it holds. */
export type MemorySnapshotStore = SnapshotStore & {
  /** Suspended cells in the store. */
  readonly size: number;
  /** Packed bytes of all of them. */
  readonly bytes: number;
};

/**
 * Creates a store that keeps suspended cells in memory and nowhere else (LIFE-1). It copies what it is given, so the
 * caller may reuse its buffer; a deleted or replaced blob is overwritten with zeros, a claimed one belongs to the claimer.
 */
export function createMemorySnapshotStore(): MemorySnapshotStore {
  const store = new MemoryStore();
  return {
    put: (runId, snapshot) => store.put(runId, snapshot),
    claim: (runId) => store.claim(runId),
    delete: (runId) => store.delete(runId),
    get size() {
      return store.size;
    },
    get bytes() {
      return store.bytes;
    },
  };
}

/** The state is kept as text: nobody outside can hold a reference into it. */
type Held = { readonly blob: Uint8Array; readonly stateText: string };

class MemoryStore {
  readonly #held = new Map<string, Held>();
  #bytes = 0;

  get size(): number {
    return this.#held.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  async put(runId: string, snapshot: StoredSnapshot): Promise<void> {
    // Both copies are made before anything is dropped: a snapshot that cannot be stored leaves the old one alone.
    const held = { blob: copyBytes(snapshot.blob), stateText: JSON.stringify(snapshot.state) };
    this.#take(runId)?.blob.fill(0);
    this.#held.set(runId, held);
    this.#bytes += held.blob.byteLength;
  }

  async claim(runId: string): Promise<StoredSnapshot | undefined> {
    const held = this.#take(runId);
    return held && { blob: held.blob, state: JSON.parse(held.stateText) as SuspendedState };
  }

  async delete(runId: string): Promise<void> {
    this.#take(runId)?.blob.fill(0);
  }

  #take(runId: string): Held | undefined {
    const held = this.#held.get(runId);
    if (held === undefined) return undefined;
    this.#held.delete(runId);
    this.#bytes -= held.blob.byteLength;
    return held;
  }
}

/** A plain copy also of a `Buffer`, whose own `slice` would share memory. */
function copyBytes(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes);
}
