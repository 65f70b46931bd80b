import type { HookDecision, HookEvent, HookPort, JsonValue } from "@code-mode/contract";
import { afterEach, describe, expect, it, vi } from "vitest";
import { buildBench, buildTool, errorIn, scope, valueIn } from "./executor-bench.ts";

afterEach(() => {
  vi.useRealTimers();
});

function before(answer: (event: HookEvent, signal: AbortSignal) => unknown): { hooks: HookPort } {
  return {
    hooks: {
      before: async (event, _scope, signal) => (await answer(event, signal)) as HookDecision,
      after: async () => undefined,
    },
  };
}

describe("before-hooks", () => {
  it("PLG-2 a rewritten input is what runs, what is validated and what is recorded", async () => {
    const tool = buildTool({
      parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
    });
    const bench = buildBench(
      tool,
      before(() => ({ input: { path: "safe.txt" } })),
    );
    expect(valueIn(await bench.run({ input: { wrong: 1 } }))).toEqual({ path: "safe.txt" });
    expect(bench.records[0]).toMatchObject({ executedInput: { path: "safe.txt" }, call: { input: { wrong: 1 } } });
  });

  it("NEST-4 a rewrite that breaks the schema is refused", async () => {
    const tool = buildTool({ parameters: { type: "object", properties: { n: { type: "number" } } } });
    const bench = buildBench(
      tool,
      before(() => ({ input: { n: "two" } })),
    );
    expect(errorIn(await bench.run({ input: { n: 1 } }))).toMatchObject({
      code: "invalid_tool_input",
      details: { path: "input.n" },
    });
  });

  it("PLG-2 a block refuses with the reason of the hook", async () => {
    const bench = buildBench(
      buildTool(),
      before(() => ({ block: true, reason: "no deletes on Friday" })),
    );
    const error = errorIn(await bench.run());
    expect(error).toMatchObject({ code: "blocked_by_hook", started: false });
    expect(error.message).toContain("no deletes on Friday");
  });

  it("a hook sees tool, input and parent call, and the scope beside them", async () => {
    const seen: unknown[] = [];
    const bench = buildBench(buildTool({ name: "write" }), {
      hooks: { before: async (event, hookScope) => void seen.push(event, hookScope), after: async () => undefined },
    });
    await bench.run({ input: { a: 1 } });
    expect(seen).toEqual([{ toolId: "t", toolName: "write", input: { a: 1 }, parentToolCallId: "exec-1" }, scope]);
  });

  it("a direct call has no parent in the hook event", async () => {
    const events: HookEvent[] = [];
    await buildBench(
      buildTool(),
      before((event) => void events.push(event)),
    ).run({ parentToolCallId: "" });
    expect(Object.hasOwn(events[0] ?? {}, "parentToolCallId")).toBe(false);
  });

  it("PLG-2 a hook that throws blocks the call", async () => {
    const bench = buildBench(
      buildTool(),
      before(() => {
        throw new Error("broken");
      }),
    );
    expect(errorIn(await bench.run())).toMatchObject({
      code: "blocked_by_hook",
      message: expect.stringContaining("broken"),
    });
  });

  it("a hook that throws before it returns a promise blocks the call", async () => {
    const hooks: HookPort = {
      before: () => {
        throw new Error("sync");
      },
      after: async () => undefined,
    };
    expect(errorIn(await buildBench(buildTool(), { hooks }).run()).code).toBe("blocked_by_hook");
  });

  it.each([null, 1, "go", true, {}, [], { block: "yes" }, { block: 1, input: {} }, { input: undefined }])(
    "an answer that is none of the three blocks: %j",
    async (answer) => {
      expect(
        errorIn(
          await buildBench(
            buildTool(),
            before(() => answer),
          ).run(),
        ),
      ).toMatchObject({ code: "blocked_by_hook" });
    },
  );

  it("a rewrite that JSON cannot hold blocks", async () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    expect(
      errorIn(
        await buildBench(
          buildTool(),
          before(() => ({ input: cycle })),
        ).run(),
      ).code,
    ).toBe("blocked_by_hook");
  });

  it("editing the event in place changes nothing: only a returned input counts", async () => {
    const bench = buildBench(
      buildTool(),
      before((event) => {
        (event.input as Record<string, JsonValue>).path = "/other";
      }),
    );
    expect(valueIn(await bench.run({ input: { path: "a" } }))).toEqual({ path: "a" });
  });

  it("PLG-2 a hook that hangs blocks after 5 s, gets an aborted signal, and its late answer is ignored", async () => {
    vi.useFakeTimers();
    const answer = Promise.withResolvers<unknown>();
    let hookSignal: AbortSignal | undefined;
    const bench = buildBench(
      buildTool(),
      before((_event, signal) => {
        hookSignal = signal;
        return answer.promise;
      }),
    );
    const outcome = bench.run();
    await vi.advanceTimersByTimeAsync(4_999);
    expect(bench.records).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(errorIn(await outcome)).toMatchObject({
      code: "blocked_by_hook",
      message: expect.stringContaining("5000 ms"),
    });
    expect(hookSignal?.aborted).toBe(true);
    answer.resolve(undefined);
    await vi.runAllTimersAsync();
    expect(bench.executor.counters.started).toBe(0);
  });

  it("an abort while a hook thinks settles the call at once and tells the hook", async () => {
    const asked = Promise.withResolvers<AbortSignal>();
    const bench = buildBench(
      buildTool(),
      before((_event, signal) => {
        asked.resolve(signal);
        return new Promise((resolve) => signal.addEventListener("abort", () => resolve(undefined)));
      }),
    );
    const outcome = bench.run();
    const hookSignal = await asked.promise;
    bench.abort.abort();
    expect(errorIn(await outcome)).toMatchObject({ code: "aborted", started: false });
    expect(hookSignal.aborted).toBe(true);
    await Promise.resolve();
    expect(bench.executor.counters.started).toBe(0);
  });
});

describe("after-hooks", () => {
  it("PLG-2 an after-hook sees the executed input and the outcome of success and failure", async () => {
    const seen: unknown[] = [];
    const hooks: HookPort = { before: async () => undefined, after: async (event) => void seen.push(event) };
    await buildBench(buildTool(), { hooks }).run({ input: { a: 1 } });
    const failing = buildTool({
      execute: () => {
        throw new Error("nope");
      },
    });
    await buildBench(failing, { hooks }).run();
    expect(seen).toMatchObject([
      { toolId: "t", input: { a: 1 }, outcome: { ok: true, value: { a: 1 } } },
      { outcome: { ok: false, started: true, error: { message: "nope" } } },
    ]);
  });

  it("an after-hook that throws is logged and changes nothing", async () => {
    const hooks: HookPort = {
      before: async () => undefined,
      after: async () => {
        throw new Error("after failed");
      },
    };
    const bench = buildBench(buildTool(), { hooks });
    expect(valueIn(await bench.run())).toEqual({});
    expect(bench.logs).toMatchObject([{ facts: { reason: "after failed", callId: "c1" } }]);
  });

  it("an after-hook that hangs holds the result for at most 5 s", async () => {
    vi.useFakeTimers();
    const hooks: HookPort = { before: async () => undefined, after: () => new Promise(() => undefined) };
    const bench = buildBench(buildTool(), { hooks });
    const outcome = bench.run();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(valueIn(await outcome)).toEqual({});
    expect(bench.logs).toHaveLength(1);
  });

  it("an abort while after-hooks run keeps the result of the tool: its work is done", async () => {
    const reached = Promise.withResolvers<void>();
    const hooks: HookPort = {
      before: async () => undefined,
      after: () => {
        reached.resolve();
        return new Promise(() => undefined);
      },
    };
    const bench = buildBench(buildTool(), { hooks });
    const outcome = bench.run({ input: { a: 1 } });
    await reached.promise;
    bench.abort.abort();
    expect(valueIn(await outcome)).toEqual({ a: 1 });
    expect(bench.records).toHaveLength(1);
  });

  it("a refused call has no after-hooks", async () => {
    let after = 0;
    const hooks: HookPort = { before: async () => ({ block: true, reason: "x" }), after: async () => void after++ };
    await buildBench(buildTool(), { hooks }).run();
    expect(after).toBe(0);
  });
});
