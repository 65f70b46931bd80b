import type { BridgeReply, PackedVm, ThreadLimits } from "@code-mode/bridge";
import {
  type CellPool,
  createCellPool,
  type Lease,
  type LostTurn,
  type ParkReply,
  type TurnReply,
} from "../src/index.ts";

/** Limits that no test meets by accident. */
export const wideLimits: ThreadLimits = {
  maxOutputBytes: 65_536,
  maxToolInputBytes: 65_536,
  maxOutstandingCalls: 32,
  maxSnapshotBytes: 4_000_000,
  maxValueBytes: 1_000_000,
};

/** A pool whose workers know neither transform nor catalog; one guest at a time unless a test says otherwise. */
export function createTestPool(options: { memoryLimitBytes?: number; size?: number } = {}): CellPool {
  return createCellPool({
    workerUrl: new URL("./fixtures/plain-worker.ts", import.meta.url),
    memoryLimitBytes: options.memoryLimitBytes ?? 16 * 1024 * 1024,
    size: options.size ?? 1,
  });
}

/** One cell on a lease of its own, from its first turn to its release. */
export class TestCell {
  readonly lease: Lease;
  readonly #limits: ThreadLimits;

  constructor(lease: Lease, limits: Partial<ThreadLimits> = {}) {
    this.lease = lease;
    this.#limits = { ...wideLimits, ...limits };
    lease.worker.ensureCatalog("none", "");
  }

  start(code: string, budgetMs = 5000): Promise<TurnReply | LostTurn> {
    return this.lease.runTurn({
      type: "start",
      ...this.#turn(budgetMs),
      code,
      language: "javascript",
      typescriptEnabled: false,
      loadCompiler: false,
      limits: this.#limits,
    });
  }

  resume(packed: PackedVm, replies: readonly BridgeReply[] = [], endYield = false): Promise<TurnReply | LostTurn> {
    return this.lease.runTurn({
      type: "resume",
      ...this.#turn(5000),
      packed,
      limits: this.#limits,
      outputUse: { usedBytes: 0, omittedBytes: 0 },
      replies,
      endYield,
    });
  }

  deliver(replies: readonly BridgeReply[]): Promise<TurnReply | LostTurn> {
    return this.lease.runTurn({ type: "deliver", ...this.#turn(5000), replies });
  }

  park(): Promise<ParkReply> {
    return this.lease.park("cell");
  }

  release(): void {
    this.lease.release("cell");
  }

  #turn(budgetMs: number): { cellId: string; turn: number; budgetMs: number; catalogHash: string } {
    return { cellId: "cell", turn: this.lease.nextTurn(), budgetMs, catalogHash: "none" };
  }
}

/** A cell on the next free worker. */
export async function openCell(pool: CellPool, limits: Partial<ThreadLimits> = {}): Promise<TestCell> {
  const signal = new AbortController().signal;
  return new TestCell(await pool.acquire({ session: "s", resumption: false, signal }), limits);
}

/** How a program stands after its first turn, on a cell that is released again. */
export async function firstTurn(pool: CellPool, code: string, budgetMs?: number): Promise<TurnReply | LostTurn> {
  const cell = await openCell(pool);
  const reply = await cell.start(code, budgetMs);
  cell.release();
  return reply;
}

/** The value of a program that needs one turn; anything else is the message. */
export async function finalValue(pool: CellPool, code: string): Promise<unknown> {
  return doneValue(await firstTurn(pool, code));
}

/** The value of a turn that ended its program. */
export function doneValue(reply: TurnReply | LostTurn): unknown {
  if (reply.type !== "turn" || reply.state.kind !== "done") throw new Error(`not done: ${JSON.stringify(reply)}`);
  return JSON.parse(reply.state.valueJson ?? "null");
}

/** The packed VM of a reply that should be one. */
export function packedOf(reply: ParkReply): PackedVm {
  if (reply.type !== "parked") throw new Error(`not parked: ${JSON.stringify(reply)}`);
  return reply.packed;
}
