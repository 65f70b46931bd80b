import { describe, expect, it } from "vitest";
import { completedValue, createRuntime, failureOf, ManualTool, scopeOf, waitingOf } from "./support.ts";

describe("abort", () => {
  it("ERR-1 while the guest computes: it ends at once, the slot is free, and the result says aborted", async () => {
    const started = new ManualTool("started");
    await using codeMode = createRuntime({
      extra: [started.tool],
      config: { maxConcurrentCells: 1, timeoutMs: 60_000 },
    });
    const control = new AbortController();
    const running = codeMode.exec({ code: "await tools.started({}); for (;;) {}" }, { signal: control.signal });
    await started.arrived(1);
    started.resolve(0, 1);
    // The loop runs when the next turn has been sent; a cell that asks for the worker proves nothing else does.
    setImmediate(() => control.abort());
    expect(failureOf(await running)).toMatchObject({
      code: "aborted",
      details: { calls: [{ id: "openclaw:core:started", status: "completed" }] },
    });
    expect(completedValue(await codeMode.exec({ code: "return 'free'" }))).toBe("free");
  });

  it("ERR-1 while the cell is parked inside a live call: its calls are aborted and nothing stays behind", async () => {
    const slow = new ManualTool("slow");
    await using codeMode = createRuntime({ extra: [slow.tool], config: { maxConcurrentCells: 1 } });
    const control = new AbortController();
    const parked = codeMode.exec(
      { code: "text('kept'); return await Promise.all([tools.slow({ n: 1 }), tools.slow({ n: 2 })])" },
      { signal: control.signal },
    );
    await slow.arrived(2);
    // Only a parked cell lets another one have the single worker.
    expect(completedValue(await codeMode.exec({ code: "return 1" }))).toBe(1);
    control.abort();
    expect(failureOf(await parked)).toMatchObject({ code: "aborted", output: [{ type: "text", text: "kept" }] });
    expect(slow.signals.map((signal) => signal.aborted)).toEqual([true, true]);
    expect(codeMode.suspendedCount).toBe(0);
  });

  it("LIFE-3 of a wait that blocks on a suspended cell: the cell is removed and cannot be waited for again", async () => {
    const slow = new ManualTool("slow");
    await using codeMode = createRuntime({ extra: [slow.tool] });
    const { runId } = waitingOf(
      await codeMode.exec({ code: "const held = tools.slow({}); await yield_control(); return await held" }),
    );
    const control = new AbortController();
    const waiting = codeMode.wait({ runId }, { signal: control.signal });
    control.abort();
    expect(failureOf(await waiting).code).toBe("aborted");
    expect(slow.signals[0]?.aborted).toBe(true);
    expect(failureOf(await codeMode.wait({ runId })).error).toBe("code mode run is unavailable or expired.");
    expect(codeMode.suspendedCount).toBe(0);
  });

  it("LIFE-3 the signal of the exec that returned waiting has no power over the suspended cell any more", async () => {
    await using codeMode = createRuntime();
    const control = new AbortController();
    const { runId } = waitingOf(
      await codeMode.exec({ code: "await yield_control(); return 'alive'" }, { signal: control.signal }),
    );
    control.abort();
    expect(completedValue(await codeMode.wait({ runId }))).toBe("alive");
  });

  it("ERR-1 before a cell got a worker: nothing of it runs", async () => {
    const slow = new ManualTool("slow");
    await using codeMode = createRuntime({ extra: [slow.tool], config: { maxConcurrentCells: 1 } });
    await codeMode.ready();
    const control = new AbortController();
    const first = codeMode.exec({ code: "const end = Date.now() + 200; while (Date.now() < end); return 1" });
    const queued = codeMode.exec({ code: "await tools.slow({})" }, { signal: control.signal });
    setImmediate(() => control.abort());
    expect(failureOf(await queued)).toMatchObject({
      code: "aborted",
      telemetry: { calls: { completed: 0, failed: 0, pending: 0, notStarted: 0 } },
    });
    expect(completedValue(await first)).toBe(1);
    expect(slow.started).toBe(0);
  });

  it("ERR-1 before the call: it is refused, and a suspended cell is left alone", async () => {
    await using codeMode = createRuntime();
    const gone = { signal: AbortSignal.abort() };
    expect(failureOf(await codeMode.exec({ code: "return 1" }, gone)).code).toBe("aborted");
    const { runId } = waitingOf(await codeMode.exec({ code: "await yield_control(); return 2" }));
    expect(failureOf(await codeMode.wait({ runId }, gone)).code).toBe("aborted");
    expect(completedValue(await codeMode.wait({ runId }))).toBe(2);
  });

  it("NEST-3 queued calls are cancelled with the cell and never start", async () => {
    const slow = new ManualTool("slow");
    await using codeMode = createRuntime({ extra: [slow.tool], config: { maxPendingToolCalls: 1 } });
    const control = new AbortController();
    const cell = codeMode.exec(
      { code: "await Promise.all([1, 2, 3].map((n) => tools.slow({ n })))" },
      { signal: control.signal },
    );
    await slow.arrived(1);
    control.abort();
    failureOf(await cell);
    slow.resolve(0, "late");
    expect(completedValue(await codeMode.exec({ code: "return 1" }))).toBe(1);
    expect(slow.inputs).toEqual([{ n: 1 }]);
  });

  it("LIFE-3 the end of an agent run aborts the cell that computes and the one that is parked", async () => {
    const slow = new ManualTool("slow");
    await using codeMode = createRuntime({ extra: [slow.tool], config: { timeoutMs: 60_000 } });
    const scope = scopeOf("s", "r");
    const parked = codeMode.exec({ code: "await tools.slow({})" }, { scope });
    const computing = codeMode.exec({ code: "await tools.slow({}); for (;;) {}" }, { scope });
    await slow.arrived(2);
    slow.resolve(1, 1);
    await codeMode.endRun(scope);
    expect([failureOf(await parked).code, failureOf(await computing).code]).toEqual(["aborted", "aborted"]);
    expect(completedValue(await codeMode.exec({ code: "return 1" }))).toBe(1);
  });

  it("LIFE-3 shutdown ends every cell and later calls are refused", async () => {
    const slow = new ManualTool("slow");
    const codeMode = createRuntime({ extra: [slow.tool] });
    const parked = codeMode.exec({ code: "await tools.slow({})" });
    const { runId } = waitingOf(await codeMode.exec({ code: "await yield_control()" }));
    await slow.arrived(1);
    await codeMode[Symbol.asyncDispose]();
    expect(failureOf(await parked).code).toBe("aborted");
    expect(slow.signals[0]?.aborted).toBe(true);
    expect(failureOf(await codeMode.exec({ code: "return 1" })).code).toBe("aborted");
    expect(failureOf(await codeMode.wait({ runId })).code).toBe("aborted");
    await codeMode[Symbol.asyncDispose]();
  });
});
