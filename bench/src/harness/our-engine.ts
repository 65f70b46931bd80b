import type { ApprovalDecision, ApprovalPort, SnapshotStore, StoredSnapshot } from "@code-mode/contract";
import { createMemorySnapshotStore } from "@code-mode/snapshots";
import { completedValue, describeResult } from "./completed-value.ts";
import type { Engine, GatedCell } from "./engine.ts";
import { addTool, publishTool } from "./fixture-tools.ts";
import { createOurCodeMode, type OurCodeMode } from "./our-code-mode.ts";

/** `createCodeMode` with defaults, but for the output budget, which a 1 MB result needs. */
export async function createOurEngine(): Promise<Engine> {
  const engine = new OurEngine();
  await engine.ready();
  return engine;
}

class OurEngine implements Engine {
  readonly name = "ours";
  readonly #human = new Human();
  readonly #store = new WatchedStore();
  readonly #ours: OurCodeMode = createOurCodeMode({
    tools: [addTool, publishTool],
    config: { maxOutputBytes: 10 * 1024 * 1024 },
    approvals: this.#human,
    store: this.#store,
  });

  ready(): Promise<void> {
    return this.#ours.codeMode.ready();
  }

  async runCell(source: string): Promise<unknown> {
    return completedValue(await this.#ours.codeMode.exec({ code: source }));
  }

  async runGatedCell(source: string): Promise<GatedCell> {
    const first = await this.#ours.codeMode.exec({ code: source });
    if (first.status !== "waiting") throw new Error(`expected a waiting cell, got ${describeResult(first)}`);
    this.#human.approve();
    const value = completedValue(await this.#ours.codeMode.wait({ runId: first.runId }));
    return { value, storedBytes: this.#store.lastBytes() };
  }

  assertCounts(): void {
    this.#ours.assertCounts();
  }

  async dispose(): Promise<void> {
    await this.#ours.codeMode[Symbol.asyncDispose]();
  }
}

/** Approves what is pending when told to. */
class Human implements ApprovalPort {
  readonly #pending: (() => void)[] = [];
  #asked = 0;

  needs({ tool }: Parameters<ApprovalPort["needs"]>[0]): boolean {
    return tool.approval === "always";
  }

  request({ onPending }: Parameters<ApprovalPort["request"]>[0]): Promise<ApprovalDecision> {
    const approvalId = `approval-${++this.#asked}`;
    return new Promise((resolve) => {
      this.#pending.push(() => resolve({ approved: true, approvalId }));
      onPending(approvalId);
    });
  }

  confirm(): boolean {
    return true;
  }

  approve(): void {
    if (this.#pending.length === 0) throw new Error("nothing waits for approval");
    for (const grant of this.#pending.splice(0)) grant();
  }
}

/** The default store, plus a look at what was stored last. */
class WatchedStore implements SnapshotStore {
  readonly #inner = createMemorySnapshotStore();
  #last: StoredSnapshot | undefined;

  put(runId: string, snapshot: StoredSnapshot): Promise<void> {
    this.#last = snapshot;
    return this.#inner.put(runId, snapshot);
  }

  claim(runId: string): Promise<StoredSnapshot | undefined> {
    return this.#inner.claim(runId);
  }

  delete(runId: string): Promise<void> {
    return this.#inner.delete(runId);
  }

  /** Bytes of the blob and of the JSON beside it. */
  lastBytes(): number {
    if (this.#last === undefined) throw new Error("no snapshot was stored");
    return this.#last.blob.byteLength + Buffer.byteLength(JSON.stringify(this.#last.state));
  }
}
