import { describe, expect, it } from "vitest";
import { createCodeMode } from "../src/index.ts";
import { completedValue, createRuntime, failureOf, ManualTool, scopeOf, waitingOf } from "./support.ts";

describe("nested calls", () => {
  it("NEST-3 calls over the cap queue in order and all run", async () => {
    const slow = new ManualTool("slow");
    await using codeMode = createRuntime({ extra: [slow.tool], config: { maxPendingToolCalls: 2 } });
    const result = codeMode.exec({ code: "return await Promise.all([1, 2, 3].map((n) => tools.slow({ n })))" });
    await slow.arrived(2);
    expect(slow.inputs).toEqual([{ n: 1 }, { n: 2 }]);
    slow.resolve(1, "b");
    await slow.arrived(3);
    slow.resolve(0, "a");
    slow.resolve(2, "c");
    expect(completedValue(await result)).toEqual(["a", "b", "c"]);
  });

  it("NEST-3 beyond the queue of 128 a call rejects catchably and the rest goes on", async () => {
    await using codeMode = createRuntime({ config: { maxPendingToolCalls: 1 } });
    const code =
      "const all = await Promise.allSettled(Array.from({ length: 140 }, async (_, n) => tools.echo({ n }))); return [all.filter((r) => r.status === 'fulfilled').length, all.find((r) => r.status === 'rejected').reason.code]";
    expect(completedValue(await codeMode.exec({ code }))).toEqual([129, "too_many_pending_calls"]);
  });

  it("NEST-4 hooks rewrite before the schema is checked, and the rewritten input runs", async () => {
    const seen: unknown[] = [];
    await using codeMode = createRuntime({
      hooks: {
        before: async (event) => (event.toolName === "add" ? { input: { a: 1, b: 41 } } : undefined),
        after: async () => undefined,
      },
      recorder: { record: (record) => seen.push(record.executedInput) },
    });
    expect(completedValue(await codeMode.exec({ code: "return (await tools.add({ a: 'wrong' })).sum" }))).toBe(42);
    expect(seen).toEqual([{ a: 1, b: 41 }]);
  });

  it("NEST-4 failures are plain errors with name, message, code, toolId and details", async () => {
    await using codeMode = createRuntime();
    expect(
      completedValue(
        await codeMode.exec({
          code: "try { await tools.fail({ message: 'm' }) } catch (e) { return [e instanceof Error, e.name, e.message, e.code, e.toolId, e.details, /file:|node:|packages/.test(e.stack)] }",
        }),
      ),
    ).toEqual([true, "TypeError", "m", "E_TEST", "openclaw:core:fail", { hint: "none" }, false]);
  });

  it("EXEC-6 hooks see the outer call with its kind and language, and may block or rewrite it", async () => {
    const events: unknown[] = [];
    await using codeMode = createRuntime({
      hooks: {
        before: async ({ toolId, toolKind, toolInputKind, input }) => {
          events.push([toolId, toolKind, toolInputKind]);
          const code = (input as { code?: string }).code;
          if (code === "block me") return { block: true, reason: "not today" };
          return code === "return 1" ? { input: { code: "return 2", command: "return 1" } } : undefined;
        },
        after: async () => undefined,
      },
    });
    expect(completedValue(await codeMode.exec({ code: "return 1", command: "return 1" }))).toBe(2);
    expect(failureOf(await codeMode.exec({ code: "block me" })).error).toMatch(/not today/);
    await codeMode.wait({ runId: "x" });
    expect(events).toEqual([
      ["code_mode:exec", "code_mode_exec", "javascript"],
      ["code_mode:exec", "code_mode_exec", "javascript"],
      ["code_mode:wait", "code_mode_wait", undefined],
    ]);
  });

  it("ERR-1 an aborted exec ends the guest, aborts its calls and frees the slot", async () => {
    const slow = new ManualTool("slow");
    await using codeMode = createRuntime({ extra: [slow.tool], config: { maxConcurrentCells: 1 } });
    const idle = new AbortController();
    const waiting = codeMode.exec({ code: "return await tools.slow({})" }, { signal: idle.signal });
    await slow.arrived(1);
    idle.abort();
    expect(failureOf(await waiting)).toMatchObject({ code: "aborted" });
    expect(slow.signals[0]?.aborted).toBe(true);
    expect(completedValue(await codeMode.exec({ code: "return 1" }))).toBe(1);
  });

  it("LIFE-4 cells parked inside a live call hold no worker and do not count as suspended", async () => {
    const slow = new ManualTool("slow");
    await using codeMode = createRuntime({
      extra: [slow.tool],
      config: { maxConcurrentCells: 1, maxSuspendedRuns: 1 },
    });
    const parked = Array.from({ length: 20 }, (_, n) =>
      codeMode.exec({ code: `return (await tools.slow({})) + ${n}` }, { scope: scopeOf(`s${n}`) }),
    );
    await slow.arrived(20);
    expect(completedValue(await codeMode.exec({ code: "return 'free'" }))).toBe("free");
    expect(codeMode.suspendedCount).toBe(0);
    for (let n = 0; n < 20; n++) slow.resolve(n, 100);
    expect((await Promise.all(parked)).map(completedValue)).toEqual(Array.from({ length: 20 }, (_, n) => 100 + n));
  });

  it("RT-7 a queued cell is never failed for queueing, and sessions take turns", async () => {
    await using codeMode = createRuntime({ config: { maxConcurrentCells: 1 } });
    await codeMode.ready();
    const order: string[] = [];
    const cell = async (session: string) => {
      await codeMode.exec({ code: "return 1" }, { scope: scopeOf(session) });
      order.push(session);
    };
    await Promise.all([cell("a"), cell("a"), cell("a"), cell("b")]);
    expect(order.indexOf("b")).toBeLessThan(3);
    expect(order.length).toBe(4);
  });

  it("WAIT-2 an exec that fits its budget returns completed although its VM was parked in between", async () => {
    const slow = new ManualTool("slow");
    await using codeMode = createRuntime({ extra: [slow.tool], config: { maxConcurrentCells: 1 } });
    const first = codeMode.exec({
      code: "const a = await tools.slow({}); return [a, Math.random() !== Math.random()]",
    });
    await slow.arrived(1);
    await codeMode.exec({ code: "return 0" });
    slow.resolve(0, "x");
    expect(completedValue(await first)).toEqual(["x", true]);
    expect(waitingOf).toBeTypeOf("function");
  });

  it("EXEC-8 tools that cannot be had and an observer that throws change no shape of a result", async () => {
    await using broken = createCodeMode({
      tools: () => {
        throw new Error("mcp down");
      },
    });
    expect(failureOf(await broken.exec({ code: "return 1" }))).toMatchObject({
      code: "internal_error",
      error: expect.stringMatching(/mcp down/),
      telemetry: { catalogSize: 0 },
    });
    await using codeMode = createRuntime({
      telemetry: {
        onCellEvent: () => {
          throw new Error("sink");
        },
      },
    });
    expect(completedValue(await codeMode.exec({ code: "return (await tools.echo({ a: 1 })).a" }))).toBe(1);
  });

  it("EXEC-14 columns count characters of the submitted text, also on lines that are not ASCII", async () => {
    await using codeMode = createRuntime();
    expect(failureOf(await codeMode.exec({ code: "const s = 'é🦞'; const x = ;" })).position).toMatchObject({
      line: 1,
      column: 28,
    });
    expect(failureOf(await codeMode.exec({ code: "const s = 'é🦞'; return missing" })).position).toMatchObject({
      line: 1,
      column: 25,
    });
  });
});
