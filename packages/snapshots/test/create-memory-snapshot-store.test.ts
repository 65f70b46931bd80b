import { describeSnapshotStore } from "@code-mode/testkit/snapshot-store-suite";
import { describe, expect, it } from "vitest";
import { createMemorySnapshotStore } from "../src/index.ts";

describeSnapshotStore("memory", createMemorySnapshotStore);

const scope = { agentId: "main", sessionId: "s1", sessionKey: "k1", agentRunId: "r1" };
const state = { version: 1, templateId: "t1", scope, cell: {} } as const;

/** Every byte array that `copyBytes` allocates goes through the constructor, so the arrays a store holds can be watched. */
async function watchAllocations(work: () => Promise<void>): Promise<Uint8Array[]> {
  const original = globalThis.Uint8Array;
  const made: Uint8Array[] = [];
  globalThis.Uint8Array = new Proxy(original, {
    construct: (target, parameters, newTarget) => {
      const array = Reflect.construct(target, parameters, newTarget) as Uint8Array;
      made.push(array);
      return array;
    },
  });
  try {
    await work();
  } finally {
    globalThis.Uint8Array = original;
  }
  return made;
}

describe("memory store", () => {
  it("a deleted or replaced blob is overwritten with zeros, the caller's own bytes are not", async () => {
    const blob = Uint8Array.of(1, 2, 3);
    const store = createMemorySnapshotStore();
    const copies = await watchAllocations(async () => {
      await store.put("a", { blob, state });
      await store.put("a", { blob, state });
      await store.delete("a");
    });
    expect(copies.map((copy) => [...copy])).toEqual([
      [0, 0, 0],
      [0, 0, 0],
    ]);
    expect([...blob]).toEqual([1, 2, 3]);
  });

  it("size and bytes follow put, replace, claim and delete", async () => {
    const store = createMemorySnapshotStore();
    await store.put("a", { blob: new Uint8Array(10), state });
    await store.put("b", { blob: new Uint8Array(5), state });
    expect([store.size, store.bytes]).toEqual([2, 15]);
    await store.put("a", { blob: new Uint8Array(7), state });
    expect([store.size, store.bytes]).toEqual([2, 12]);
    await store.claim("a");
    await store.delete("b");
    expect([store.size, store.bytes]).toEqual([0, 0]);
  });

  it("a state that is no JSON is refused and leaves the stored snapshot alone", async () => {
    const store = createMemorySnapshotStore();
    await store.put("a", { blob: Uint8Array.of(1), state });
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    await expect(
      store.put("a", { blob: Uint8Array.of(2), state: { ...state, cell: cycle as never } }),
    ).rejects.toThrow();
    expect((await store.claim("a"))?.blob).toEqual(Uint8Array.of(1));
  });
});
