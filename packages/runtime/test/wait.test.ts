import type { SnapshotStore, StoredSnapshot } from "@code-mode/contract";
import { createMemorySnapshotStore } from "@code-mode/snapshots";
import { describe, expect, it } from "vitest";
import { completedValue, createRuntime, failureOf, ManualTool, scopeOf, waitingOf } from "./support.ts";

const short = { timeoutMs: 100 };

describe("wait", () => {
  it("WAIT-1 anything but one runId is invalid input", async () => {
    await using codeMode = createRuntime();
    for (const input of [undefined, {}, { runId: 1 }, { runId: "" }, { runId: "x", more: 1 }])
      expect(failureOf(await codeMode.wait(input)).code).toBe("invalid_input");
  });

  it("WAIT-2 a suspended cell goes on when a call settles and keeps the others pending", async () => {
    const slow = new ManualTool("slow");
    await using codeMode = createRuntime({ extra: [slow.tool], config: short });
    const first = waitingOf(
      await codeMode.exec({
        code: "const a = tools.slow({ n: 1 }), b = tools.slow({ n: 2 }); text(await a); text(await b); return 'end'",
      }),
    );
    expect(first).toMatchObject({
      reason: "pending_tools",
      pendingToolCalls: [
        { name: "slow", status: "running" },
        { name: "slow", status: "running" },
      ],
    });
    slow.resolve(0, "one");
    const second = waitingOf(await codeMode.wait({ runId: first.runId }));
    expect(second).toMatchObject({
      runId: first.runId,
      output: [{ type: "text", text: "one" }],
      pendingToolCalls: [{ name: "slow" }],
    });
    slow.resolve(1, "two");
    expect(await codeMode.wait({ runId: first.runId })).toMatchObject({
      status: "completed",
      value: "end",
      output: [{ type: "text", text: "two" }],
    });
    expect(slow.started).toBe(2);
  });

  it("WAIT-3 unknown, finished, foreign and doubly waited runs have their own message and stay untouched", async () => {
    const slow = new ManualTool("slow");
    await using codeMode = createRuntime({ extra: [slow.tool], config: short });
    const scope = scopeOf("s1", "r1");
    const { runId } = waitingOf(await codeMode.exec({ code: "return await tools.slow({})" }, { scope }));
    const message = async (other: typeof scope) => failureOf(await codeMode.wait({ runId }, { scope: other })).error;
    expect(failureOf(await codeMode.wait({ runId: "nope" }, { scope })).error).toBe(
      "code mode run is unavailable or expired.",
    );
    expect(await message(scopeOf("s2", "r1"))).toBe("code mode run belongs to a different session.");
    expect(await message(scopeOf("s1", "r2"))).toBe("code mode run belongs to a different agent run.");
    const winner = codeMode.wait({ runId }, { scope });
    expect(await message(scope)).toBe("code mode run is already being resumed.");
    slow.resolve(0, 7);
    expect(completedValue(await winner)).toBe(7);
    expect(await message(scope)).toBe("code mode run is unavailable or expired.");
  });

  it("WAIT-3 with waitScope session another turn of the session may wait", async () => {
    const slow = new ManualTool("slow");
    await using codeMode = createRuntime({ extra: [slow.tool], config: { ...short, waitScope: "session" } });
    const { runId } = waitingOf(
      await codeMode.exec({ code: "return await tools.slow({})" }, { scope: scopeOf("s", "r1") }),
    );
    slow.resolve(0, 1);
    expect(completedValue(await codeMode.wait({ runId }, { scope: scopeOf("s", "r2") }))).toBe(1);
  });

  it("WAIT-4 a call that settled while the cell was parked is delivered once", async () => {
    const slow = new ManualTool("slow");
    await using codeMode = createRuntime({ extra: [slow.tool], config: short });
    const { runId } = waitingOf(
      await codeMode.exec({ code: "return [await tools.slow({ a: 1 }), await tools.echo({ b: 2 })]" }),
    );
    slow.resolve(0, "late");
    expect(completedValue(await codeMode.wait({ runId }))).toEqual(["late", { b: 2 }]);
    expect(slow.inputs).toEqual([{ a: 1 }]);
  });

  it("WAIT-5 wait blocks for its budget, then returns the same run with a fresh time to live", async () => {
    const slow = new ManualTool("slow");
    await using codeMode = createRuntime({ extra: [slow.tool], config: short });
    const { runId } = waitingOf(await codeMode.exec({ code: "return await tools.slow({})" }));
    const again = waitingOf(await codeMode.wait({ runId }));
    expect(again).toMatchObject({ runId, reason: "pending_tools" });
    slow.resolve(0, true);
    expect(completedValue(await codeMode.wait({ runId }))).toBe(true);
  });

  it("WAIT-6 each call has a budget of its own", async () => {
    const slow = new ManualTool("slow");
    await using codeMode = createRuntime({ extra: [slow.tool], config: { timeoutMs: 150 } });
    const spin = "const spin = (ms) => { const end = Date.now() + ms; while (Date.now() < end); };";
    const { runId } = waitingOf(
      await codeMode.exec({ code: `${spin} spin(60); await tools.slow({}); spin(60); return 'ok'` }),
    );
    slow.resolve(0, 1);
    expect(completedValue(await codeMode.wait({ runId }))).toBe("ok");
  });

  it("GUEST-1 yield_control suspends with its reason and the next wait resumes at once", async () => {
    await using codeMode = createRuntime();
    const first = waitingOf(
      await codeMode.exec({ code: "text('a'); await yield_control('half way'); text('b'); return 1" }),
    );
    expect(first).toMatchObject({ reason: "yield", yieldReason: "half way", output: [{ type: "text", text: "a" }] });
    expect(await codeMode.wait({ runId: first.runId })).toMatchObject({
      status: "completed",
      value: 1,
      output: [{ type: "text", text: "b" }],
    });
  });

  it("EXEC-10 a cell that waits only for its own timer is waiting with reason yield", async () => {
    await using codeMode = createRuntime({ config: short });
    const { runId, reason } = waitingOf(
      await codeMode.exec({ code: "await new Promise((r) => setTimeout(r, 180)); return 'rang'" }),
    );
    expect(reason).toBe("yield");
    let result = await codeMode.wait({ runId });
    if (result.status === "waiting") result = await codeMode.wait({ runId });
    expect(completedValue(result)).toBe("rang");
  });
});

describe("life of suspended cells", () => {
  it("LIFE-1 run ids are unguessable and nothing of a cell outlives its end", async () => {
    const slow = new ManualTool("slow");
    await using codeMode = createRuntime({ extra: [slow.tool], config: short });
    const ids = await Promise.all(
      [1, 2].map(async () => waitingOf(await codeMode.exec({ code: "return await tools.slow({})" })).runId),
    );
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9_-]{22,64}$/);
    slow.resolve(0, 1);
    slow.resolve(1, 1);
    await Promise.all(ids.map((runId) => codeMode.wait({ runId })));
    expect(codeMode.suspendedCount).toBe(0);
  });

  it("LIFE-2 blob and state survive base64 and JSON inside the store, on any worker, and the tool runs once", async () => {
    const slow = new ManualTool("slow");
    const store = textStore();
    await using codeMode = createRuntime({ extra: [slow.tool], config: { ...short, maxConcurrentCells: 2 }, store });
    const code = "let n = 1; const r = await tools.slow({}); n += r; await yield_control(); return { n, r }";
    const { runId } = waitingOf(await codeMode.exec({ code }));
    slow.resolve(0, 41);
    waitingOf(await codeMode.wait({ runId }));
    expect(completedValue(await codeMode.wait({ runId }))).toEqual({ n: 42, r: 41 });
    expect(slow.started).toBe(1);
    expect(store.texts.length).toBe(2);
    expect(store.texts.every((text) => text.length < 40_000)).toBe(true);
  });

  it("LIFE-6 the store gets bytes and plain JSON that another process could resume from, and the default one is memory", async () => {
    const stored: StoredSnapshot[] = [];
    const memory = createMemorySnapshotStore();
    const store: SnapshotStore = {
      put: (id, snapshot) => {
        stored.push(snapshot);
        return memory.put(id, snapshot);
      },
      claim: (id) => memory.claim(id),
      delete: (id) => memory.delete(id),
    };
    const slow = new ManualTool("slow");
    await using codeMode = createRuntime({ extra: [slow.tool], config: short, store });
    const scope = scopeOf("s", "r");
    waitingOf(await codeMode.exec({ code: "return await tools.slow({ secret: 1 })" }, { scope }));
    const { blob, state } = stored[0] as StoredSnapshot;
    expect(blob).toBeInstanceOf(Uint8Array);
    expect(JSON.parse(JSON.stringify(state))).toEqual(state);
    expect(state).toMatchObject({
      version: 1,
      templateId: expect.stringMatching(/^[0-9a-f]{32}$/),
      scope,
      cell: { pending: [{ id: "openclaw:core:slow", status: "running" }] },
    });
  });

  it("LIFE-3 ending the run or the session removes its cells and aborts their calls", async () => {
    const slow = new ManualTool("slow");
    await using codeMode = createRuntime({ extra: [slow.tool], config: short });
    const park = async (session: string, run: string) =>
      waitingOf(await codeMode.exec({ code: "return await tools.slow({})" }, { scope: scopeOf(session, run) })).runId;
    const first = await park("a", "r1");
    const second = await park("a", "r2");
    await codeMode.endRun(scopeOf("a", "r1"));
    expect(slow.signals.map((signal) => signal.aborted)).toEqual([true, false]);
    expect(failureOf(await codeMode.wait({ runId: first }, { scope: scopeOf("a", "r1") })).error).toMatch(
      /unavailable or expired/,
    );
    await codeMode.endSession("a");
    expect(slow.signals[1]?.aborted).toBe(true);
    expect(failureOf(await codeMode.wait({ runId: second }, { scope: scopeOf("a", "r2") })).error).toMatch(
      /unavailable or expired/,
    );
  });

  it("LIFE-3 an expired cell is gone and its calls are aborted", async () => {
    const slow = new ManualTool("slow");
    await using codeMode = createRuntime({ extra: [slow.tool], config: { ...short, snapshotTtlSeconds: 1 } });
    const { runId } = waitingOf(await codeMode.exec({ code: "return await tools.slow({})" }));
    const signal = slow.signals[0] as AbortSignal;
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    expect(failureOf(await codeMode.wait({ runId })).error).toBe("code mode run is unavailable or expired.");
  });

  it("LIFE-4 at most maxSuspendedRuns are suspended; the next keeps its output and is refused", async () => {
    const slow = new ManualTool("slow");
    await using codeMode = createRuntime({
      extra: [slow.tool],
      config: { ...short, maxSuspendedRuns: 2, maxConcurrentCells: 4 },
    });
    const park = () => codeMode.exec({ code: "text('before'); return await tools.slow({})" });
    await Promise.all([park(), park()].map(async (result) => waitingOf(await result)));
    expect(failureOf(await park())).toMatchObject({
      code: "invalid_input",
      error: "too many suspended code mode runs.",
      output: [{ type: "text", text: "before" }],
    });
    expect(slow.signals[2]?.aborted).toBe(true);
    expect(completedValue(await codeMode.exec({ code: "return 1" }))).toBe(1);
  });

  it("LIFE-5 a snapshot over the limit names size, limit and remedy", async () => {
    const slow = new ManualTool("slow");
    await using codeMode = createRuntime({ extra: [slow.tool], config: { ...short, maxSnapshotBytes: 1024 } });
    const failed = failureOf(
      await codeMode.exec({
        code: "const big = Array.from({ length: 5000 }, () => Math.random()); await tools.slow({}); return big.length",
      }),
    );
    expect(failed).toMatchObject({
      code: "snapshot_limit_exceeded",
      details: { limit: 1024, bytes: expect.any(Number) },
    });
    expect(failed.error).toMatch(/results\.save/);
  });
});

/** A store that keeps nothing but text. */
function textStore(): SnapshotStore & { texts: string[] } {
  const memory = createMemorySnapshotStore();
  const texts: string[] = [];
  const through = (snapshot: StoredSnapshot): StoredSnapshot => {
    const text = JSON.stringify({ blob: Buffer.from(snapshot.blob).toString("base64"), state: snapshot.state });
    texts.push(text);
    const parsed = JSON.parse(text) as { blob: string; state: StoredSnapshot["state"] };
    return { blob: new Uint8Array(Buffer.from(parsed.blob, "base64")), state: parsed.state };
  };
  return {
    texts,
    put: (runId, snapshot) => memory.put(runId, through(snapshot)),
    claim: (runId) => memory.claim(runId),
    delete: (runId) => memory.delete(runId),
  };
}
