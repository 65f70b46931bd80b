import { describe, expect, it } from "vitest";
import { completedValue, createRuntime, failureOf, ManualTool, waitingOf } from "./support.ts";

describe("hard stops", () => {
  it("RT-3 an endless loop ends as timeout while another cell completes", async () => {
    await using codeMode = createRuntime({ config: { timeoutMs: 500, maxConcurrentCells: 2 } });
    await codeMode.ready();
    const [hung, other] = await Promise.all([
      codeMode.exec({ code: "for(;;){}" }),
      codeMode.exec({ code: "return (await tools.add({ a: 1, b: 1 })).sum" }),
    ]);
    expect(failureOf(hung)).toMatchObject({ code: "timeout", details: { timeoutMs: 500 } });
    expect(completedValue(other)).toBe(2);
  });

  it.each([
    "[].reverse.call({ length: 2 ** 53 - 1 })",
    "Array(2 ** 32 - 1).join()",
    "'a'.repeat(8e6).includes('a'.repeat(4e6) + 'b')",
  ])("RT-3 a native loop that never polls is ended by the supervisor: %s", async (code) => {
    await using codeMode = createRuntime({ config: { timeoutMs: 200 } });
    await codeMode.ready();
    const startedAt = performance.now();
    expect(failureOf(await codeMode.exec({ code: `return ${code}` }))).toMatchObject({
      code: expect.stringMatching(/timeout|memory_limit_exceeded|guest_error/),
    });
    expect(performance.now() - startedAt).toBeLessThan(200 + 5000);
    expect(completedValue(await codeMode.exec({ code: "return 'next'" }))).toBe("next");
  });

  it("OUT-1 output written before a native loop that only ending the thread stops is not lost", async () => {
    await using codeMode = createRuntime({ config: { timeoutMs: 300 } });
    await codeMode.ready();
    const code =
      "text('first'); await tools.add({ a: 1, b: 1 }); console.log('zweite Zeile\\nü'); json({ n: [1, null] }); [].reverse.call({ length: 2 ** 53 - 1 })";
    const ended = failureOf(await codeMode.exec({ code }));
    expect(ended).toMatchObject({ code: "timeout" });
    expect(ended.output).toEqual([
      { type: "text", text: "first" },
      { type: "text", text: "zweite Zeile\nü" },
      { type: "json", value: { n: [1, null] } },
    ]);
    // Nothing of it shows up in the next program, not even when that one ends in the same way.
    const next = failureOf(await codeMode.exec({ code: "[].reverse.call({ length: 2 ** 53 - 1 })" }));
    expect(next.output).toBeUndefined();
  });

  it("OUT-1 of output before such a loop the budget still counts, and what is over it is counted", async () => {
    await using codeMode = createRuntime({ config: { timeoutMs: 300, maxOutputBytes: 1024 } });
    await codeMode.ready();
    const code = "text('a'.repeat(800)); text('b'.repeat(800)); [].reverse.call({ length: 2 ** 53 - 1 })";
    const ended = failureOf(await codeMode.exec({ code }));
    expect(ended).toMatchObject({ code: "timeout", truncated: true });
    expect(
      Buffer.byteLength(JSON.stringify(ended.output?.[0])) + Buffer.byteLength(JSON.stringify(ended.output?.[1])),
    ).toBeLessThanOrEqual(1024);
    expect(ended.omittedBytes).toBeGreaterThan(500);
  });

  it("RT-4 a cell out of memory ends clearly and suspended cells live on", async () => {
    const slow = new ManualTool("slow");
    await using codeMode = createRuntime({
      extra: [slow.tool],
      config: { timeoutMs: 5000, memoryLimitBytes: 8 * 1024 * 1024 },
    });
    const parked = codeMode.exec({ code: "await yield_control(); return await tools.slow({})" });
    const { runId } = waitingOf(await parked);
    for (const code of [
      "const a = []; for (;;) a.push({ x: a.length })",
      "let s = 'x'; for (;;) s += s",
      "await Promise.resolve(); const a = []; for (;;) a.push(new Uint8Array(65536))",
    ])
      expect(failureOf(await codeMode.exec({ code })), code).toMatchObject({
        code: expect.stringMatching(/memory_limit_exceeded|guest_error/),
      });
    expect(failureOf(await codeMode.exec({ code: "const a = []; for (;;) a.push({ x: a.length })" }))).toMatchObject({
      code: "memory_limit_exceeded",
      details: { limit: 8 * 1024 * 1024 },
    });
    const resumed = codeMode.wait({ runId });
    await slow.arrived(1);
    slow.resolve(0, 5);
    expect(completedValue(await resumed)).toBe(5);
  });

  it("RT-5 ending every worker between waiting and wait loses nothing, and the tool ran once", async () => {
    const slow = new ManualTool("slow");
    await using codeMode = createRuntime({ extra: [slow.tool], config: { timeoutMs: 150 } });
    const { runId } = waitingOf(await codeMode.exec({ code: "const r = await tools.slow({}); return [r, 'after']" }));
    // Both workers hang in native loops and are ended by the watchdog.
    await Promise.all([1, 2].map(() => codeMode.exec({ code: "[].reverse.call({ length: 2 ** 53 - 1 })" })));
    slow.resolve(0, "once");
    let result = await codeMode.wait({ runId });
    while (result.status === "waiting") result = await codeMode.wait({ runId });
    expect(completedValue(result)).toEqual(["once", "after"]);
    expect(slow.started).toBe(1);
  });

  it("RT-6 nothing of one cell is visible in the next, whatever it patched or left behind", async () => {
    await using codeMode = createRuntime({ config: { maxConcurrentCells: 1, timeoutMs: 2000 } });
    const poison =
      "globalThis.secret = 'canary'; Array.prototype.leak = 1; JSON.parse = 0; Math.PI2 = 3; setTimeout(() => text('late'), 60000); tools.x = 1; String.prototype.trim = () => 'bad'; return 1";
    for (const code of [
      poison,
      `${poison.replace("return 1", "")} throw new Error('x')`,
      `${poison.replace("return 1", "")} await yield_control()`,
    ]) {
      await codeMode.exec({ code });
      expect(
        completedValue(
          await codeMode.exec({
            code: "return [typeof secret, [].leak, typeof JSON.parse, Math.PI2, tools.x, ' a '.trim()]",
          }),
        ),
      ).toEqual(["undefined", null, "function", null, null, "a"]);
    }
    const randoms = await Promise.all(
      [1, 2, 3].map(async () => completedValue(await codeMode.exec({ code: "return Math.random()" }))),
    );
    expect(new Set(randoms).size).toBe(3);
  });

  it("TS-2 a JavaScript cell never loads the compiler; only a TypeScript cell pays for it, uncharged", async () => {
    await using codeMode = createRuntime({ config: { timeoutMs: 100 } });
    expect(completedValue(await codeMode.exec({ code: "const x: number = 1; return x", language: "typescript" }))).toBe(
      1,
    );
  });
});

describe("start", () => {
  it("ACT-4 ready resolves when the engine runs, and a bad configuration throws at once", async () => {
    await using codeMode = createRuntime();
    await codeMode.ready();
    expect(() => createRuntime({ config: { timeoutMs: "10" } })).toThrow(/timeoutMs.*"10".*number/);
    expect(() => createRuntime({ config: { enabled: false } })).toThrow(/enabled/);
  });

  it("RT-1 quickjs-wasi is a direct dependency of the package that runs it", async () => {
    const { default: manifest } = await import("@code-mode/supervisor/package.json", { with: { type: "json" } });
    expect(Object.keys(manifest.dependencies)).toContain("quickjs-wasi");
  });

  it("RT-2 time zone is UTC, clocks are real, and no ambient object is there", async () => {
    await using codeMode = createRuntime();
    expect(
      completedValue(
        await codeMode.exec({
          code: `return [new Date().getTimezoneOffset(), Math.abs(Date.now() - ${Date.now()}) < 60000, typeof performance, typeof SharedArrayBuffer, typeof std, typeof os, typeof WebAssembly]`,
        }),
      ),
    ).toEqual([0, true, "undefined", "undefined", "undefined", "undefined", "undefined"]);
  });
});
