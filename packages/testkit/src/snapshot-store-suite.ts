import type { JsonObject, SnapshotStore, StoredSnapshot } from "@code-mode/contract";
import { describe, expect, it } from "vitest";

const scope = { agentId: "main", sessionId: "s1", sessionKey: "k1", agentRunId: "r1" };

function buildSnapshot(bytes: readonly number[], cell: JsonObject = { code: "return 1" }): StoredSnapshot {
  return { blob: Uint8Array.from(bytes), state: { version: 1, templateId: "t1", scope, cell } };
}

/**
 * The rules of the snapshot store port as tests; every implementation runs them.
 * @param createStore makes an empty store for each test
 */
export function describeSnapshotStore(name: string, createStore: () => SnapshotStore | Promise<SnapshotStore>): void {
  describe(`snapshot store: ${name}`, () => {
    it("LIFE-2 a claim gives back blob and state as they were put", async () => {
      const store = await createStore();
      const snapshot = buildSnapshot([1, 2, 3, 0, 255], { pending: [{ callId: "c1" }], text: "é\u0000😀", none: null });
      await store.put("run-1", snapshot);
      expect(await store.claim("run-1")).toEqual(snapshot);
    });

    it("a claim takes the snapshot out", async () => {
      const store = await createStore();
      await store.put("run-1", buildSnapshot([1]));
      await store.claim("run-1");
      expect(await store.claim("run-1")).toBeUndefined();
    });

    it("of many concurrent claims exactly one gets the snapshot", async () => {
      const store = await createStore();
      await store.put("run-1", buildSnapshot([1]));
      const claims = await Promise.all(Array.from({ length: 100 }, () => store.claim("run-1")));
      expect(claims.filter((claim) => claim !== undefined)).toHaveLength(1);
    });

    it("runs do not mix, and an unknown run has nothing", async () => {
      const store = await createStore();
      await Promise.all([store.put("run-1", buildSnapshot([1])), store.put("run-2", buildSnapshot([2]))]);
      expect(await store.claim("run-3")).toBeUndefined();
      expect((await store.claim("run-2"))?.blob).toEqual(Uint8Array.of(2));
      expect((await store.claim("run-1"))?.blob).toEqual(Uint8Array.of(1));
    });

    it("a name of Object.prototype is a run like any other", async () => {
      const store = await createStore();
      expect(await store.claim("__proto__")).toBeUndefined();
      await store.put("constructor", buildSnapshot([7]));
      expect((await store.claim("constructor"))?.blob).toEqual(Uint8Array.of(7));
    });

    it("a second put replaces the first", async () => {
      const store = await createStore();
      await store.put("run-1", buildSnapshot([1]));
      await store.put("run-1", buildSnapshot([2, 2], { step: 2 }));
      expect(await store.claim("run-1")).toEqual(buildSnapshot([2, 2], { step: 2 }));
      expect(await store.claim("run-1")).toBeUndefined();
    });

    it("LIFE-3 a deleted run is gone, and deleting what is not there is no error", async () => {
      const store = await createStore();
      await store.put("run-1", buildSnapshot([1]));
      await store.delete("run-1");
      await store.delete("run-1");
      expect(await store.claim("run-1")).toBeUndefined();
    });

    it("later changes to what was put do not reach the store, a Buffer included", async () => {
      const store = await createStore();
      const cell: Record<string, number> = { step: 1 };
      const blob = Buffer.from([1, 2, 3]);
      await store.put("run-1", { ...buildSnapshot([], cell), blob });
      blob.fill(9);
      cell.step = 2;
      const claimed = await store.claim("run-1");
      expect([...(claimed?.blob ?? [])]).toEqual([1, 2, 3]);
      expect(claimed?.state.cell).toEqual({ step: 1 });
    });

    it("an empty blob and a view into a larger buffer keep their length", async () => {
      const store = await createStore();
      await store.put("empty", buildSnapshot([]));
      await store.put("view", { ...buildSnapshot([]), blob: Uint8Array.of(0, 1, 2, 3, 4).subarray(1, 3) });
      expect((await store.claim("empty"))?.blob.byteLength).toBe(0);
      expect((await store.claim("view"))?.blob).toEqual(Uint8Array.of(1, 2));
    });
  });
}
