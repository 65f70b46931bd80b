import { fixedLimits, type NestedOutcome } from "@code-mode/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CallTable, type RunNestedCall, type TrackedCall } from "../src/call-table.ts";

const limit = fixedLimits.maxQueuedToolCalls;

function call(sequence: number): TrackedCall {
  const toolId = "openclaw:core:t";
  return { sequence, callId: `c${sequence}`, toolId, name: "t", input: {}, parentToolCallId: "", mcp: false };
}

/** A table whose calls end when the test says so. */
class Table {
  readonly started: number[] = [];
  readonly control = new AbortController();
  readonly table: CallTable;
  readonly #ends = new Map<number, (outcome: NestedOutcome) => void>();

  constructor(maxParallel: number) {
    const run: RunNestedCall = ({ sequence }, { onUpdate }) => {
      this.started.push(sequence);
      onUpdate({ type: "started" });
      return new Promise((resolve) => this.#ends.set(sequence, resolve));
    };
    this.table = new CallTable({ maxParallel, run, signal: this.control.signal });
  }

  get running(): number {
    return this.#ends.size;
  }

  add(sequence: number): void {
    this.table.add(call(sequence));
  }

  async end(sequence: number, ok: boolean): Promise<void> {
    this.#ends.get(sequence)?.(
      ok
        ? { ok: true, value: sequence, executedInput: {} }
        : { ok: false, started: true, error: { name: "Error", message: "m", code: "tool_error" } },
    );
    this.#ends.delete(sequence);
    await Promise.resolve();
    await Promise.resolve();
  }

  oldestRunning(): number | undefined {
    return this.#ends.keys().next().value;
  }
}

describe("CallTable", () => {
  it.each([
    [limit, 0],
    [limit + 1, 1],
    [limit + 2, 2],
  ])("NEST-3 of %i calls that wait for a place %i are refused at once", (waiting, refused) => {
    const { table } = new Table(1);
    for (let sequence = 1; sequence <= 1 + waiting; sequence++) table.add(call(sequence));
    const replies = table.takeReplies();
    expect(replies.map((reply) => reply.ok || reply.error.code)).toEqual(Array(refused).fill("too_many_pending_calls"));
    expect(table.counts).toEqual({ completed: 0, failed: 0, pending: 1 + waiting - refused, notStarted: refused });
  });

  it("NEST-3 a place in the queue is free again as soon as a call starts", async () => {
    const slow = new Table(1);
    for (let sequence = 1; sequence <= 1 + limit; sequence++) slow.add(sequence);
    await slow.end(1, true);
    slow.add(limit + 2);
    expect(slow.table.takeReplies()).toEqual([{ sequence: 1, ok: true, json: "1" }]);
    expect(slow.table.pendingCount).toBe(limit + 1);
  });

  it("WAIT-4 whatever the order, each call starts once, settles once and is counted once", async () => {
    const steps = fc.array(fc.oneof(fc.constant("add" as const), fc.boolean()), { maxLength: 80 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 5 }), steps, async (maxParallel, plan) => {
        const slow = new Table(maxParallel);
        const settled: number[] = [];
        let added = 0;
        const settle = async (ok: boolean): Promise<void> => {
          const oldest = slow.oldestRunning();
          if (oldest !== undefined) await slow.end(oldest, ok);
          settled.push(...slow.table.takeReplies().map((reply) => reply.sequence));
          expect(slow.running).toBeLessThanOrEqual(maxParallel);
        };
        for (const step of plan) {
          if (step === "add") slow.add(++added);
          else await settle(step);
        }
        while (slow.running > 0) await settle(true);
        const all = Array.from({ length: added }, (_, index) => index + 1);
        expect(slow.started).toEqual(all);
        expect(settled).toEqual(all);
        const { completed, failed, pending, notStarted } = slow.table.counts;
        expect([completed + failed, pending, notStarted]).toEqual([added, 0, 0]);
      }),
      { seed: 17, numRuns: 100 },
    );
  });

  it("NEST-3 after abort nothing starts and nothing is delivered", async () => {
    const slow = new Table(1);
    slow.add(1);
    slow.add(2);
    slow.control.abort();
    await slow.end(1, true);
    expect(slow.started).toEqual([1]);
    expect(slow.table.takeReplies()).toEqual([]);
  });
});
