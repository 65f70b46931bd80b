import { afterAll, describe, expect, it } from "vitest";
import { createTestPool, doneValue, finalValue, firstTurn, openCell, packedOf, TestCell } from "./support.ts";

const pool = createTestPool();
afterAll(() => pool.dispose());

/** The fault of a first turn; anything else is the message. */
async function faultOf(code: string, budgetMs?: number) {
  const reply = await firstTurn(pool, code, budgetMs);
  if (reply.type !== "turn" || reply.state.kind !== "fault") throw new Error(`no fault: ${JSON.stringify(reply)}`);
  return reply.state.fault;
}

describe("sources that try to leave their function", () => {
  it.each([
    "}}).f;globalThis.out = 1;({async f(){",
    "}}); text('out'); ({async f(){{",
    "}, get f(){ return () => text('out')",
    "}, async g(){",
    "}; text('out'); {",
    "} text('out'); async function g(){",
    "}}).f /*",
    "} //",
    "return 1 /*",
    "return `",
    "}\n}}).f;({async f(){\n{",
    "return 1 } catch {",
  ])("SEC-1 %j does not compile and nothing of it runs", async (code) => {
    const reply = await firstTurn(pool, code);
    expect(reply).toMatchObject({
      type: "turn",
      state: { kind: "fault", fault: { kind: "invalid_source" } },
      callsJson: "",
    });
    expect(reply).not.toHaveProperty("output");
    expect(await finalValue(pool, "return typeof out")).toBe("undefined");
  });

  it("EXEC-14 an error that only the engine finds is placed in the body, also on its first line", async () => {
    expect(await faultOf("return 1 +;")).toMatchObject({ kind: "invalid_source", line: 1, column: 11 });
    expect(await faultOf("const a = 1;\nconst a = 2;")).toMatchObject({ kind: "invalid_source", line: 2 });
  });
});

/** Everything a cell can leave behind, and what a clean cell sees of it. */
const poison = [
  "globalThis.canary = 'secret'",
  "Array.prototype.leak = 'secret'",
  "Object.defineProperty(Function.prototype, 'leak2', { value: 'secret' })",
  "JSON.parse = () => 'secret'",
  "String.prototype.trim = () => 'secret'",
  "Math.leak = 'secret'",
  "Symbol.for('secret')",
  "text.leak = 'secret'",
  "setTimeout(() => text('secret'), 0)",
  "globalThis.ghost = tools.echo({ secret: 1 })",
].join("; ");
const look =
  "return [typeof canary, [].leak, (() => 1).leak2, JSON.parse('1'), ' a '.trim(), Math.leak, text.leak, typeof ghost, Object.keys(globalThis).sort()]";
const clean = ["undefined", null, null, 1, "a", null, null, "undefined"];

describe("fresh state", () => {
  it.each([
    ["returned", `${poison}; await 1; return 1`],
    ["threw", `${poison}; throw new Error('x')`],
    ["yielded", `${poison}; await yield_control()`],
    ["was refused", `${poison}; }`],
    ["left jobs behind", `${poison}; Promise.resolve().then(() => { globalThis.late = 1 }); return 1`],
  ])("RT-6 after a cell that %s, the VM that is reset in place shows nothing of it", async (_how, code) => {
    const globals = ((await finalValue(pool, look)) as unknown[]).at(-1);
    const cell = await openCell(pool);
    const { worker } = cell.lease;
    await cell.start(code);
    cell.release();
    const next = await openCell(pool);
    expect(next.lease.worker).toBe(worker);
    const reply = await next.start(look);
    next.release();
    expect(doneValue(reply)).toEqual([...clean, globals]);
    expect(reply).toMatchObject({ callsJson: "" });
    expect(reply).not.toHaveProperty("output");
  });

  it.each([
    ["was interrupted", `${poison}; for (;;) {}`, 100],
    ["ran out of memory", `${poison}; const all = []; for (;;) all.push(new Array(8192).fill(1))`, 5000],
    ["made the memory grow", `${poison}; globalThis.big = new Uint8Array(6_000_000); return 1`, 5000],
  ])("RT-6 after a cell that %s, the replaced VM shows nothing of it", async (_how, code, budgetMs) => {
    await firstTurn(pool, code, budgetMs);
    expect(((await finalValue(pool, look)) as unknown[]).slice(0, -1)).toEqual(clean);
  });

  it("RT-6 randomness differs after a reset and after a resume of the same snapshot", async () => {
    const draws = [await finalValue(pool, "return Math.random()"), await finalValue(pool, "return Math.random()")];
    const cell = await openCell(pool);
    await cell.start("await yield_control(); return Math.random()");
    const packed = packedOf(await cell.park());
    cell.release();
    for (let count = 0; count < 2; count++) {
      const again = await openCell(pool);
      draws.push(doneValue(await again.resume({ ...packed, bytes: packed.bytes.slice() }, [], true)));
      again.release();
    }
    expect(new Set(draws).size).toBe(4);
  });

  it("GUEST-1 the enumerable globals are the API and nothing else", async () => {
    expect(await finalValue(pool, "return Object.keys(globalThis).sort()")).toEqual(
      ["ALL_TOOLS", "API", "MCP", "json", "namespaces", "results", "text", "tools", "yield_control"].sort(),
    );
    expect(
      await finalValue(
        pool,
        "return ['host', 'std', 'os', 'bjson', 'scriptArgs', 'print', 'gc', 'WebAssembly', 'SharedArrayBuffer', 'Atomics', 'performance', 'navigator'].filter((name) => name in globalThis)",
      ),
    ).toEqual([]);
  });
});

describe("deadlines", () => {
  it("RT-3 an endless loop is stopped by the interrupt handler and its thread serves the next cell", async () => {
    const cell = await openCell(pool);
    const { worker } = cell.lease;
    const reply = await cell.start("for (;;) {}", 100);
    cell.release();
    expect(reply).toMatchObject({ type: "turn", state: { kind: "fault", fault: { kind: "timeout" } } });
    const next = await openCell(pool);
    expect(next.lease.worker).toBe(worker);
    expect(doneValue(await next.start("return 1"))).toBe(1);
    next.release();
  });

  it("RT-3 an endless chain of jobs is stopped too", async () => {
    expect(
      await faultOf("const again = () => { Promise.resolve().then(again) }; again(); await new Promise(() => {})", 100),
    ).toEqual({ kind: "timeout" });
  });

  it("RT-3 a native loop that never polls costs its thread, and another one serves the next cell", async () => {
    const own = createTestPool();
    const reply = await firstTurn(own, "[].reverse.call({ length: 2 ** 53 - 1 })", 100);
    expect(reply).toMatchObject({ type: "lost", end: "watchdog", output: { items: [] } });
    expect(await finalValue(own, "return 'next'")).toBe("next");
    await own.dispose();
  });

  it("SEC-1 stop ends a running guest as aborted without costing the thread", async () => {
    const cell = await openCell(pool);
    const running = cell.start("for (;;) {}");
    cell.lease.stop();
    expect(await running).toMatchObject({ state: { kind: "fault", fault: { kind: "aborted" } } });
    expect(cell.lease.worker.alive).toBe(true);
    cell.release();
    expect(await finalValue(pool, "return 2")).toBe(2);
  });

  it("RT-4 a guest out of memory is a memory fault", async () => {
    expect(await faultOf("const all = []; for (;;) all.push(new Array(8192).fill(1))")).toEqual({ kind: "memory" });
  });
});

describe("turns", () => {
  it("EXEC-12 a rejection that nobody handles is the fault, one that is handled later is none", async () => {
    expect(await faultOf("Promise.reject(new RangeError('lost')); return 1")).toMatchObject({
      kind: "guest",
      failure: { name: "RangeError", message: "lost" },
    });
    expect(await faultOf("Promise.resolve().then(() => { throw 'in a job' }); return 1")).toMatchObject({
      kind: "guest",
      failure: { message: expect.stringContaining("in a job") },
    });
    expect(
      await finalValue(
        pool,
        "const p = Promise.reject(1); await null; await null; return await p.catch(() => 'handled')",
      ),
    ).toBe("handled");
    expect(await finalValue(pool, "await Promise.allSettled([Promise.reject(1)]); return 'settled'")).toBe("settled");
  });

  it("GUEST-7 a pending timer is told with its delay, and it fires when the host comes back", async () => {
    const cell = await openCell(pool);
    const reply = await cell.start(
      "const start = Date.now(); await new Promise((done) => setTimeout(done, 60)); return Date.now() - start >= 60",
    );
    if (reply.type !== "turn" || reply.state.kind !== "idle") throw new Error(JSON.stringify(reply));
    expect(reply.state.timerMs).toBeGreaterThan(0);
    expect(reply.state.timerMs).toBeLessThanOrEqual(60);
    const due = Date.now() + (reply.state.timerMs ?? 0);
    let last = await cell.deliver([]);
    while (Date.now() <= due) last = await cell.deliver([]);
    expect(doneValue(last.type === "turn" && last.state.kind === "done" ? last : await cell.deliver([]))).toBe(true);
    cell.release();
  });

  it("GUEST-7 timers fire in the order they are due, cleared ones never, and none keeps a finished cell alive", async () => {
    expect(
      await finalValue(
        pool,
        "const seen = []; setTimeout(() => seen.push('b'), 0); const gone = setTimeout(() => seen.push('x'), 0); clearTimeout(gone); await new Promise((done) => setTimeout(done, 0)); setTimeout(() => seen.push('never'), 1e9); return seen",
      ),
    ).toEqual(["b"]);
  });

  it("EXEC-10 a promise that nothing can settle is told at once", async () => {
    expect(await faultOf("await new Promise(() => {})")).toEqual({ kind: "never_settles" });
  });

  it("SEC-1 synchronous look-ups leave nothing behind in the guest's heap", async () => {
    const own = createTestPool({ memoryLimitBytes: 2 * 1024 * 1024 });
    const code = "for (let n = 0; n < 40_000; n++) { Object.keys(tools); tools['missing' + (n % 10)]; } return 'done'";
    expect(doneValue(await firstTurn(own, code, 20_000))).toBe("done");
    await own.dispose();
  });

  it("NEST-3 the guest makes as many unanswered calls as it is told, and the next is refused with its code", async () => {
    const cell = await openCell(pool, { maxOutstandingCalls: 32 });
    const reply = await cell.start(
      "let code; const all = []; try { for (let n = 0; n < 33; n++) all.push(tools.echo({ n })); await all[32]; } catch (e) { code = e.code } await Promise.all(all.slice(0, 32)); return code",
    );
    if (reply.type !== "turn") throw new Error(JSON.stringify(reply));
    const calls = JSON.parse(reply.callsJson) as unknown[];
    expect(calls.length).toBe(32);
    const replies = calls.map((_call, index) => ({ sequence: index + 1, ok: true, json: "null" }) as const);
    expect(doneValue(await cell.deliver(replies))).toBe("too_many_pending_calls");
    cell.release();
  });

  it("GUEST-6 a forged reply for a call that was never made changes nothing", async () => {
    const cell = await openCell(pool);
    await cell.start("return await tools.echo({ n: 1 })");
    const waiting = await cell.deliver([{ sequence: 99, ok: true, json: '"forged"' }]);
    expect(waiting).toMatchObject({ state: { kind: "idle" } });
    const twice = { sequence: 1, ok: true, json: '"real"' } as const;
    expect(doneValue(await cell.deliver([twice, { ...twice, json: '"second"' }]))).toBe("real");
    cell.release();
  });
});

describe("packing", () => {
  it("LIFE-5 packing stops at the limit, and the VM that was not packed goes on", async () => {
    const cell = await openCell(pool, { maxSnapshotBytes: 1024 });
    await cell.start("const big = Array.from({ length: 5000 }, Math.random); await tools.echo({}); return big.length");
    const reply = await cell.park();
    expect(reply).toMatchObject({ type: "park_failed", reason: "too_large" });
    if (reply.type === "park_failed") expect(reply.bytes).toBeGreaterThan(1024);
    expect(doneValue(await cell.deliver([{ sequence: 1, ok: true, json: "1" }]))).toBe(5000);
    cell.release();
  });

  it("WAIT-2 a packed VM goes on on another thread with its closures, pending calls and timers", async () => {
    const wide = createTestPool({ size: 2 });
    const first = await openCell(wide);
    const second = await openCell(wide);
    expect(second.lease.worker).not.toBe(first.lease.worker);
    await first.start(
      "let n = 1; const call = tools.echo({}); const late = new Promise((done) => setTimeout(() => done('rang'), 1)); const got = await call; n += got; return [n, await late]",
    );
    const packed = packedOf(await first.park());
    first.release();
    let reply = await second.resume(packed, [{ sequence: 1, ok: true, json: "41" }]);
    while (reply.type === "turn" && reply.state.kind === "idle") reply = await second.deliver([]);
    expect(doneValue(reply)).toEqual([42, "rang"]);
    second.release();
    await wide.dispose();
  });

  it("WAIT-3 a damaged blob is an engine fault of its cell alone", async () => {
    const cell = await openCell(pool);
    await cell.start("await yield_control(); return 1");
    const packed = packedOf(await cell.park());
    cell.release();
    const broken = await openCell(pool);
    expect(await broken.resume({ ...packed, bytes: packed.bytes.slice(0, -3) }, [], true)).toMatchObject({
      state: { kind: "fault", fault: { kind: "engine", message: expect.stringMatching(/damaged/) } },
    });
    broken.release();
    expect(await finalValue(pool, "return 3")).toBe(3);
  });
});

describe("queueing", () => {
  it("RT-7 a waiting cell leaves the queue when it is aborted, and the next one is served", async () => {
    const held = await openCell(pool);
    const gone = new AbortController();
    const aborted = pool.acquire({ session: "a", resumption: false, signal: gone.signal });
    const next = pool.acquire({ session: "b", resumption: false, signal: new AbortController().signal });
    expect(pool.hasDemand).toBe(true);
    gone.abort(new Error("gone"));
    await expect(aborted).rejects.toThrow("gone");
    held.release();
    const cell = new TestCell(await next);
    expect(doneValue(await cell.start("return 4"))).toBe(4);
    cell.release();
    expect(pool.hasDemand).toBe(false);
  });

  it("RT-7 a pool that is disposed refuses waiting and new cells", async () => {
    const own = createTestPool();
    const held = await openCell(own);
    const signal = new AbortController().signal;
    const waiting = own.acquire({ session: "a", resumption: false, signal });
    await Promise.all([expect(waiting).rejects.toMatchObject({ code: "aborted" }), own.dispose()]);
    await expect(own.acquire({ session: "a", resumption: false, signal })).rejects.toMatchObject({ code: "aborted" });
    expect(await held.start("return 1")).toEqual({ type: "lost", end: "crashed" });
    held.release();
  });
});
