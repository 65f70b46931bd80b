import { describe, expect, it } from "vitest";
import { completedValue, createRuntime, failureOf, ManualTool, scopeOf, waitingOf } from "./support.ts";

/** A budget that counts from now. */
const fromNow = (ms: number) => ({ ms, receivedAt: performance.now() });

/** A program that holds the only worker until it is aborted, and says when it does. */
function holdWorker(codeMode: ReturnType<typeof createRuntime>, busy: ManualTool) {
  const controller = new AbortController();
  const result = codeMode.exec(
    { code: "tools.busy({}); await Promise.resolve(); for (;;) await tools.spin({})" },
    { signal: controller.signal, scope: scopeOf("holder") },
  );
  return { result, holds: busy.arrived(1), letGo: () => controller.abort() };
}

/** One worker; `spin` answers at once, so that its caller is never parked. */
function createSmallRuntime(extra: ManualTool[]) {
  const spin = { name: "spin", description: "answers at once", execute: () => 1 };
  return createRuntime({
    extra: [...extra.map(({ tool }) => tool), spin],
    config: { maxConcurrentCells: 1, timeoutMs: 30_000, waitScope: "session" },
  });
}

describe("a budget that counts from receipt", () => {
  it("MCPS-3 host work that is pending at the end gives waiting, and the next wait has a budget of its own", async () => {
    const slow = new ManualTool("slow");
    await using codeMode = createRuntime({ extra: [slow.tool], config: { timeoutMs: 30_000 } });
    await codeMode.ready();
    const first = waitingOf(await codeMode.exec({ code: "return await tools.slow({})" }, { budget: fromNow(1500) }));
    expect(first).toMatchObject({ reason: "pending_tools", pendingToolCalls: [{ name: "slow" }] });
    const second = waitingOf(await codeMode.wait({ runId: first.runId }, { budget: fromNow(50) }));
    expect(second).toMatchObject({ runId: first.runId, reason: "pending_tools" });
    slow.resolve(0, "there");
    const end = await codeMode.wait({ runId: first.runId }, { budget: fromNow(20_000) });
    expect(completedValue(end)).toBe("there");
    expect(slow.started).toBe(1);
  });

  it("MCPS-3 a program that only waits for its own timers at the end gives waiting with reason yield", async () => {
    await using codeMode = createRuntime({ config: { timeoutMs: 30_000 } });
    await codeMode.ready();
    const code = "await new Promise((done) => setTimeout(done, 3_000_000)); return 1";
    expect(waitingOf(await codeMode.exec({ code }, { budget: fromNow(1500) })).reason).toBe("yield");
  });

  it("MCPS-3 a program that computes at the end times out, and the message names the budget", async () => {
    await using codeMode = createRuntime({ config: { timeoutMs: 30_000 } });
    await codeMode.ready();
    const failure = failureOf(await codeMode.exec({ code: "for (;;) {}" }, { budget: fromNow(400) }));
    expect(failure).toMatchObject({ code: "timeout", details: { timeoutMs: 400 } });
    expect(failure.error).toContain("400 ms");
  });

  it("MCPS-3 time that passed before the call reached us is part of the budget", async () => {
    await using codeMode = createRuntime({ config: { timeoutMs: 30_000 } });
    await codeMode.ready();
    const budget = { ms: 1000, receivedAt: performance.now() - 1001 };
    const failure = failureOf(await codeMode.exec({ code: "return 1" }, { budget }));
    expect(failure).toMatchObject({ code: "timeout", details: { started: false } });
    expect(failure.error).toMatch(/nothing of the program ran/);
  });

  it("MCPS-3 a call that got no worker in time says that nothing ran, and leaves the queue", async () => {
    const busy = new ManualTool("busy");
    const ran = new ManualTool("ran");
    await using codeMode = createSmallRuntime([busy, ran]);
    await codeMode.ready();
    const holder = holdWorker(codeMode, busy);
    await holder.holds;
    const failure = failureOf(await codeMode.exec({ code: "return await tools.ran({})" }, { budget: fromNow(60) }));
    expect(failure).toMatchObject({ code: "timeout", details: { started: false } });
    expect(failure.telemetry.calls).toEqual({ completed: 0, failed: 0, pending: 0, notStarted: 0 });
    holder.letGo();
    await holder.result;
    // The worker is free for others: the refused program is not run after all.
    expect(completedValue(await codeMode.exec({ code: "return 'next'" }))).toBe("next");
    expect(ran.started).toBe(0);
  });

  it("MCPS-3 a resumption that got no worker in time waits on with its reply, which is delivered once", async () => {
    const busy = new ManualTool("busy");
    const slow = new ManualTool("slow");
    await using codeMode = createSmallRuntime([busy, slow]);
    await codeMode.ready();
    const scope = scopeOf("patient");
    const code =
      "text('before'); const held = tools.slow({}); await yield_control(); const r = await held; text('after'); return r";
    const { runId } = waitingOf(await codeMode.exec({ code }, { scope }));
    const holder = holdWorker(codeMode, busy);
    await holder.holds;
    slow.resolve(0, "reply");
    for (let round = 0; round < 2; round++) {
      const again = waitingOf(await codeMode.wait({ runId }, { scope, budget: fromNow(60) }));
      expect(again).toMatchObject({ runId, reason: "pending_tools" });
      expect(again.output).toBeUndefined();
    }
    holder.letGo();
    await holder.result;
    const end = await codeMode.wait({ runId }, { scope, budget: fromNow(20_000) });
    expect(completedValue(end)).toBe("reply");
    expect(end.output).toEqual([{ type: "text", text: "after" }]);
    expect(slow.started).toBe(1);
  });

  it("WAIT-6 a program that is answered at once again and again still meets the end of its budget", async () => {
    await using codeMode = createSmallRuntime([]);
    await codeMode.ready();
    const code = "let n = 0; for (;;) { await tools.spin({}); n++ }";
    const first = waitingOf(await codeMode.exec({ code }, { budget: fromNow(1500) }));
    expect(first.reason).toBe("pending_tools");
    expect(waitingOf(await codeMode.wait({ runId: first.runId }, { budget: fromNow(1500) })).runId).toBe(first.runId);
  });
});
