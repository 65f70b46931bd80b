import type { SnapshotStore, StoredSnapshot } from "@code-mode/contract";
import { createMemorySnapshotStore } from "@code-mode/snapshots";
import { describe, expect, it } from "vitest";
import { completedValue, createRuntime, failureOf, ManualTool, scopeOf, waitingOf } from "./support.ts";

const yielding = { code: "text('before'); await yield_control(); return 'after'" };

describe("how many cells may be suspended", () => {
  it.each([
    [1, 1],
    [2, 1],
    [3, 2],
    [4, 2],
    [5, 3],
  ])("LIFE-4 of %i places one session holds at most %i while another has cells", async (max, share) => {
    await using codeMode = createRuntime({ config: { maxSuspendedRuns: max } });
    const suspend = (session: string) => codeMode.exec(yielding, { scope: scopeOf(session) });
    if (max === 1) {
      waitingOf(await suspend("a"));
      expect(failureOf(await suspend("b")).error).toBe("too many suspended code mode runs.");
      return;
    }
    const other = waitingOf(await suspend("other"));
    for (let n = 0; n < share; n++) waitingOf(await suspend("greedy"));
    const refused = await suspend("greedy");
    if (share < max - 1) {
      expect(failureOf(refused)).toMatchObject({ code: "invalid_input", details: { limit: max, ownLimit: share } });
      waitingOf(await suspend("other"));
    } else expect(refused.status).toBe("failed");
    await codeMode.endSession("other");
    expect(failureOf(await codeMode.wait({ runId: other.runId }, { scope: scopeOf("other") })).code).toBe(
      "invalid_input",
    );
    // Alone again, the session may use every place.
    for (let n = share; n < max; n++) waitingOf(await suspend("greedy"));
    expect(failureOf(await suspend("greedy")).error).toBe("too many suspended code mode runs.");
  });

  it("LIFE-4 a session that only has a running cell counts as one that has cells", async () => {
    const slow = new ManualTool("slow");
    await using codeMode = createRuntime({ extra: [slow.tool], config: { maxSuspendedRuns: 4, timeoutMs: 30_000 } });
    const other = codeMode.exec({ code: "return await tools.slow({})" }, { scope: scopeOf("other") });
    await slow.arrived(1);
    for (let n = 0; n < 2; n++) waitingOf(await codeMode.exec(yielding, { scope: scopeOf("greedy") }));
    const refused = failureOf(await codeMode.exec(yielding, { scope: scopeOf("greedy") }));
    expect(refused).toMatchObject({ code: "invalid_input", details: { limit: 4, ownLimit: 2 } });
    slow.resolve(0, "done");
    expect(completedValue(await other)).toBe("done");
    waitingOf(await codeMode.exec(yielding, { scope: scopeOf("greedy") }));
  });

  it("LIFE-4 64 suspended cells never block one that does not suspend, and the 65th suspension is refused", async () => {
    await using codeMode = createRuntime();
    const runs = [];
    for (let n = 0; n < 64; n++) runs.push(waitingOf(await codeMode.exec(yielding)).runId);
    expect(completedValue(await codeMode.exec({ code: "return (await tools.add({ a: 1, b: 1 })).sum" }))).toBe(2);
    expect(failureOf(await codeMode.exec(yielding))).toMatchObject({
      error: "too many suspended code mode runs.",
      output: [{ type: "text", text: "before" }],
    });
    expect(codeMode.suspendedCount).toBe(64);
    expect(completedValue(await codeMode.wait({ runId: runs[0] }))).toBe("after");
    waitingOf(await codeMode.exec(yielding));
  });

  it("LIFE-4 a cell inside wait keeps its place: it may be suspended again although all places are taken", async () => {
    await using codeMode = createRuntime({ config: { maxSuspendedRuns: 1 } });
    const code = "await yield_control(); await yield_control(); return 'end'";
    const { runId } = waitingOf(await codeMode.exec({ code }));
    expect(waitingOf(await codeMode.wait({ runId })).runId).toBe(runId);
    expect(failureOf(await codeMode.exec(yielding)).code).toBe("invalid_input");
    expect(completedValue(await codeMode.wait({ runId }))).toBe("end");
  });
});

describe("waits", () => {
  it("WAIT-3 of a hundred waits at once exactly one resumes the cell, and the others leave it untouched", async () => {
    const slow = new ManualTool("slow");
    await using codeMode = createRuntime({ extra: [slow.tool], config: { timeoutMs: 5000 } });
    const { runId } = waitingOf(
      await codeMode.exec({
        code: "const held = tools.slow({}); await yield_control(); text('once'); return await held",
      }),
    );
    const waits = Array.from({ length: 100 }, () => codeMode.wait({ runId }));
    slow.resolve(0, 42);
    const results = await Promise.all(waits);
    const winners = results.filter((result) => result.status === "completed");
    expect(winners).toMatchObject([{ value: 42, output: [{ type: "text", text: "once" }] }]);
    const losers = results.filter((result) => result.status === "failed");
    expect(new Set(losers.map((result) => result.error))).toEqual(new Set(["code mode run is already being resumed."]));
    expect(losers.length).toBe(99);
    expect(slow.started).toBe(1);
  });

  it("GUEST-7 a timer that became due while the cell was suspended fires on resume, after it what is due later", async () => {
    await using codeMode = createRuntime();
    const { runId } = waitingOf(
      await codeMode.exec({
        code: "const seen = []; const late = new Promise((done) => setTimeout(() => { seen.push('late'); done(); }, 60)); setTimeout(() => seen.push('early'), 1); await yield_control(); seen.push('resumed'); await late; return seen",
      }),
    );
    const seen = completedValue(await codeMode.wait({ runId })) as string[];
    expect(seen.toSorted()).toEqual(["early", "late", "resumed"]);
    expect(seen.at(-1)).toBe("late");
  });

  it("GUEST-7 an interval goes on after wait until it is cleared", async () => {
    await using codeMode = createRuntime();
    const { runId } = waitingOf(
      await codeMode.exec({
        code: "let n = 0; let done; const end = new Promise((resolve) => { done = resolve; }); const id = setInterval(() => { if (++n === 3) { clearInterval(id); done(); } }, 1); await yield_control(); await end; return n",
      }),
    );
    expect(completedValue(await codeMode.wait({ runId }))).toBe(3);
  });

  it.each([
    [255, 255],
    [256, 256],
    [257, 256],
  ])("GUEST-1 of a yield reason of %i characters %i are kept", async (given, kept) => {
    await using codeMode = createRuntime();
    const result = waitingOf(await codeMode.exec({ code: `await yield_control("r".repeat(${given}))` }));
    expect(result.yieldReason).toBe("r".repeat(kept));
  });

  it("GUEST-1 yield_control lists the calls that are pending, and they run while the cell is suspended", async () => {
    const slow = new ManualTool("slow");
    await using codeMode = createRuntime({ extra: [slow.tool], config: { maxPendingToolCalls: 1 } });
    const result = waitingOf(
      await codeMode.exec({
        code: "const both = [tools.slow({ n: 1 }), tools.slow({ n: 2 })]; await yield_control('working'); return await Promise.all(both)",
      }),
    );
    expect(result).toMatchObject({
      reason: "yield",
      pendingToolCalls: [
        { id: "openclaw:core:slow", name: "slow", status: "running" },
        { id: "openclaw:core:slow", name: "slow", status: "queued" },
      ],
      telemetry: { calls: { completed: 0, failed: 0, pending: 2, notStarted: 0 }, snapshotBytes: expect.any(Number) },
    });
    slow.resolve(0, "a");
    // NEST-3: the queued call starts although the cell is suspended.
    await slow.arrived(2);
    slow.resolve(1, "b");
    expect(completedValue(await codeMode.wait({ runId: result.runId }))).toEqual(["a", "b"]);
  });

  it("EXEC-14 an error after wait has the position of the submitted source", async () => {
    await using codeMode = createRuntime();
    const { runId } = waitingOf(
      await codeMode.exec({
        code: "interface A { a: number }\nawait yield_control();\nconst a = null as unknown as A;\nreturn a.a;",
        language: "typescript",
      }),
    );
    expect(failureOf(await codeMode.wait({ runId }))).toMatchObject({ code: "guest_error", position: { line: 4 } });
  });
});

describe("restores", () => {
  it("WAIT-3 a snapshot of another template is refused as internal_error, and the cell is gone", async () => {
    const store = changingStore((snapshot) => ({
      ...snapshot,
      state: { ...snapshot.state, templateId: "0".repeat(32) },
    }));
    await using codeMode = createRuntime({ store });
    const { runId } = waitingOf(await codeMode.exec(yielding));
    expect(failureOf(await codeMode.wait({ runId }))).toMatchObject({
      code: "internal_error",
      error: expect.stringMatching(/another version/),
    });
    expect(failureOf(await codeMode.wait({ runId })).error).toBe("code mode run is unavailable or expired.");
    expect(codeMode.suspendedCount).toBe(0);
  });

  it("WAIT-3 a state of an unknown version is refused as internal_error", async () => {
    const store = changingStore((snapshot) => ({
      ...snapshot,
      state: { ...snapshot.state, version: 2 as unknown as 1 },
    }));
    await using codeMode = createRuntime({ store });
    const { runId } = waitingOf(await codeMode.exec(yielding));
    expect(failureOf(await codeMode.wait({ runId })).code).toBe("internal_error");
  });

  it.each([
    ["cut off", (blob: Uint8Array) => blob.slice(0, -5)],
    ["empty", () => new Uint8Array()],
    ["noise", (blob: Uint8Array) => blob.map((byte, index) => (index < 4 ? byte : byte ^ 0xff))],
  ])("WAIT-3 a blob that is %s fails that cell alone, and its calls are aborted", async (_how, damage) => {
    const slow = new ManualTool("slow");
    const store = changingStore((snapshot) => ({ ...snapshot, blob: damage(snapshot.blob) }));
    await using codeMode = createRuntime({ extra: [slow.tool], store });
    const { runId } = waitingOf(
      await codeMode.exec({ code: "const held = tools.slow({}); await yield_control(); return await held" }),
    );
    expect(failureOf(await codeMode.wait({ runId })).code).toBe("internal_error");
    expect(slow.signals[0]?.aborted).toBe(true);
    expect(completedValue(await codeMode.exec({ code: "return 'next'" }))).toBe("next");
  });

  it("WAIT-3 a snapshot that the store lost is internal_error with what happened to the calls", async () => {
    const memory = createMemorySnapshotStore();
    await using codeMode = createRuntime({ store: { ...storeOf(memory), claim: async () => undefined } });
    const { runId } = waitingOf(await codeMode.exec(yielding));
    expect(failureOf(await codeMode.wait({ runId }))).toMatchObject({
      code: "internal_error",
      error: expect.stringMatching(/could not be restored.*calls were aborted/),
    });
  });

  it("LIFE-2 a store that cannot keep the cell fails it with its output", async () => {
    const memory = createMemorySnapshotStore();
    const put = async (): Promise<void> => {
      throw new Error("disk full");
    };
    await using codeMode = createRuntime({ store: { ...storeOf(memory), put } });
    expect(failureOf(await codeMode.exec(yielding))).toMatchObject({
      code: "internal_error",
      error: expect.stringMatching(/could not be stored: disk full/),
      output: [{ type: "text", text: "before" }],
    });
    expect(codeMode.suspendedCount).toBe(0);
  });
});

function storeOf(memory: SnapshotStore): SnapshotStore {
  return {
    put: (runId, snapshot) => memory.put(runId, snapshot),
    claim: (runId) => memory.claim(runId),
    delete: (runId) => memory.delete(runId),
  };
}

/** A store that gives back something else than it was given. */
function changingStore(change: (snapshot: StoredSnapshot) => StoredSnapshot): SnapshotStore {
  const memory = createMemorySnapshotStore();
  return {
    ...storeOf(memory),
    claim: async (runId) => {
      const snapshot = await memory.claim(runId);
      return snapshot === undefined ? undefined : change(snapshot);
    },
  };
}
