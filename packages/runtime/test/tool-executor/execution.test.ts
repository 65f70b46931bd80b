import {
  CodeModeError,
  type CodeModeTool,
  type JsonValue,
  type NestedOutcome,
  type ToolContext,
} from "@code-mode/contract";
import { describe, expect, it } from "vitest";
import { buildBench, buildTool, errorIn, scope, valueIn } from "./executor-bench.ts";

function returning(value: unknown): CodeModeTool {
  return buildTool({ execute: () => value });
}

function throwing(thrown: unknown): CodeModeTool {
  return buildTool({
    execute: () => {
      throw thrown;
    },
  });
}

function nested(levels: number): JsonValue {
  let value: JsonValue = [];
  for (let level = 1; level < levels; level++) value = [value];
  return value;
}

describe("tool context", () => {
  it("NEST-1 a tool learns agent, session, sender, channel, run, both call ids and the signal", async () => {
    const contexts: ToolContext[] = [];
    const bench = buildBench(buildTool({ execute: (_input, context) => void contexts.push(context) }));
    await bench.run();
    const [seen] = contexts;
    expect(seen).toMatchObject({ ...scope, runId: "run-1", toolCallId: "c1", parentToolCallId: "exec-1" });
    expect(seen?.signal).toBe(bench.abort.signal);
  });

  it("a direct call has no parent", async () => {
    const keys: string[] = [];
    await buildBench(buildTool({ execute: (_input, context) => void keys.push(...Object.keys(context)) })).run({
      parentToolCallId: "",
    });
    expect(keys).not.toContain("parentToolCallId");
  });

  it("progress of a tool is passed on as bounded text, log lines carry the call", async () => {
    const bench = buildBench(
      buildTool({
        execute: (_input, context) => {
          context.onUpdate("half");
          context.onUpdate({ text: "done", percent: 100 });
          context.onUpdate({ percent: 1 });
          context.onUpdate("x".repeat(9_000));
          context.log("note", { size: 1 });
        },
      }),
    );
    await bench.run();
    expect(bench.updates.map((update) => update.message)).toEqual([
      undefined,
      "half",
      "done",
      '{"percent":1}',
      "x".repeat(512),
    ]);
    expect(bench.logs).toEqual([{ message: "note", facts: { size: 1, toolId: "t", callId: "c1" } }]);
  });

  it("a tool that edits its input in place does not change what is recorded", async () => {
    const tool = buildTool({
      execute: (input) => {
        (input as { list: number[] }).list.push(9);
        return input;
      },
    });
    const bench = buildBench(tool);
    const outcome = await bench.run({ input: { list: [1] } });
    expect(outcome).toEqual({ ok: true, value: { list: [1, 9] }, executedInput: { list: [1] } });
    expect(bench.records[0]?.executedInput).toEqual({ list: [1] });
  });

  it("a key named __proto__ reaches the tool as a plain key", async () => {
    const bench = buildBench(buildTool({ execute: (input) => Object.keys(input as object) }));
    const input = JSON.parse('{"__proto__": {"polluted": true}}') as JsonValue;
    expect(valueIn(await bench.run({ input }))).toEqual(["__proto__"]);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe("what a tool returns", () => {
  const values: [string, unknown, JsonValue][] = [
    ["undefined", undefined, null],
    ["a function", () => 1, null],
    ["a symbol", Symbol("s"), null],
    ["NaN", Number.NaN, null],
    ["a BigInt", 12n, "12"],
    ["a BigInt inside", { a: [1n, { b: 2n }] }, { a: ["1", { b: "2" }] }],
    ["a date", new Date(0), "1970-01-01T00:00:00.000Z"],
    ["undefined inside", { a: undefined, b: [undefined] }, { b: [null] }],
    [
      "a getter",
      {
        get a() {
          return 1;
        },
      },
      { a: 1 },
    ],
    ["a promise", Promise.resolve(3), 3],
    // biome-ignore lint/suspicious/noThenProperty: a thenable is the case
    ["a thenable", { then: (resolve: (value: unknown) => void) => resolve({ deep: true }) }, { deep: true }],
    ["a shared reference", ((shared) => [shared, shared])({ a: 1 }), [{ a: 1 }, { a: 1 }]],
  ];

  it.each(values)("%s becomes plain JSON", async (_name, returned, expected) => {
    expect(valueIn(await buildBench(returning(returned)).run())).toEqual(expected);
  });

  it.each(['{"":[{"__proto__":1}]}', '"\\ud800 \\u2028"', "[[[]],{}]", "-0.5e-7", '{"a":{"b":[1,null,true,"x"]}}'])(
    "the JSON %s crosses unchanged",
    async (text) => {
      expect(JSON.stringify(valueIn(await buildBench(returning(JSON.parse(text))).run()))).toBe(
        JSON.stringify(JSON.parse(text)),
      );
    },
  );

  it("a cycle is an error that names no host class", async () => {
    class HostConnection {
      self = this;
    }
    const error = errorIn(await buildBench(returning(new HostConnection())).run());
    expect(error).toMatchObject({ code: "tool_error", started: true, message: expect.stringContaining("cycle") });
    expect(error.message).not.toContain("HostConnection");
  });

  it("a getter, toJSON or then that throws is an error of the tool", async () => {
    const fail = () => {
      throw new Error("trap");
    };
    for (const value of [
      Object.defineProperty({}, "a", { get: fail, enumerable: true }),
      { toJSON: fail },
      // biome-ignore lint/suspicious/noThenProperty: a thenable is the case
      Object.defineProperty({}, "then", { get: fail }),
    ])
      expect(errorIn(await buildBench(returning(value)).run())).toMatchObject({ code: "tool_error", started: true });
  });

  it("GUEST-6 a reply of exactly the limit fits, one byte more does not and names size and limit", async () => {
    const fits = buildBench(returning("x".repeat(98)), { maxReplyBytes: 100 });
    expect(valueIn(await fits.run())).toBe("x".repeat(98));
    const over = buildBench(returning(`${"é".repeat(49)}x`), { maxReplyBytes: 100 });
    const error = errorIn(await over.run());
    expect(error).toMatchObject({ code: "tool_error", started: true, details: { bytes: 101, limit: 100 } });
    expect(error.message).toMatch(/101 bytes.*100 bytes/);
  });

  it("GUEST-6 500 levels cross, 501 do not, and neither does a value that overflows the stack", async () => {
    expect(valueIn(await buildBench(returning(nested(500))).run())).toEqual(nested(500));
    expect(errorIn(await buildBench(returning(nested(501))).run())).toMatchObject({
      code: "tool_error",
      details: { levels: 501, limit: 500 },
    });
    expect(errorIn(await buildBench(returning(nested(200_000))).run()).message).toContain("500 levels");
  });

  it("brackets and quotes inside strings do not count as levels", async () => {
    const text = `${"[".repeat(600)}"\\${"{".repeat(600)}`;
    expect(valueIn(await buildBench(returning({ text })).run())).toEqual({ text });
  });
});

describe("what a tool throws", () => {
  it("NEST-4 name, message, code, details and tool id reach the guest, a stack never", async () => {
    const thrown = Object.assign(new RangeError("too far"), { code: "E_FAR", details: { max: 3 }, secret: "x" });
    expect(await buildBench(throwing(thrown)).run()).toEqual({
      ok: false,
      started: true,
      error: { name: "RangeError", message: "too far", code: "E_FAR", toolId: "t", details: { max: 3 } },
    });
  });

  it("a rejection is the same as a throw", async () => {
    const bench = buildBench(buildTool({ execute: () => Promise.reject(new Error("later")) }));
    expect(errorIn(await bench.run())).toMatchObject({ message: "later", code: "tool_error", name: "Error" });
  });

  it("a CodeModeError keeps its code", async () => {
    expect(errorIn(await buildBench(throwing(new CodeModeError("invalid_input", "no"))).run()).code).toBe(
      "invalid_input",
    );
  });

  const odd: [string, unknown, string][] = [
    ["a string", "plain text", "plain text"],
    ["undefined", undefined, "The tool threw undefined."],
    ["null", null, "null"],
    ["a number", 5, "5"],
    ["an object with a message", { message: "from object", code: "E1" }, "from object"],
    ["an error without text", new Error(""), "Error"],
    ["a symbol", Symbol("s"), "Symbol(s)"],
  ];

  it.each(odd)("%s becomes a plain error", async (_name, thrown, message) => {
    expect(errorIn(await buildBench(throwing(thrown)).run())).toMatchObject({ message, started: true, toolId: "t" });
  });

  it("an object whose every property traps becomes a plain error", async () => {
    const trap = new Proxy(
      {},
      {
        get: () => {
          throw new Error("trap");
        },
        getPrototypeOf: () => {
          throw new Error("trap");
        },
        ownKeys: () => {
          throw new Error("trap");
        },
      },
    );
    expect(errorIn(await buildBench(throwing(trap)).run())).toMatchObject({ code: "tool_error", started: true });
  });

  it("frames of a stack inside a message are removed", async () => {
    const thrown = new Error(
      "outer: inner failed\n    at run (file:///srv/app/tool.js:10:3)\n    at next (node:internal/x:1:1)\nend",
    );
    expect(errorIn(await buildBench(throwing(thrown)).run()).message).toBe("outer: inner failed\nend");
  });

  it("a long message is cut at 2 KiB, big or odd details are dropped", async () => {
    const long = errorIn(await buildBench(throwing(new Error("é".repeat(4_000)))).run());
    expect(Buffer.byteLength(long.message)).toBe(2048);
    for (const details of ["text", [1], { big: "x".repeat(5_000) }, 7])
      expect(
        errorIn(await buildBench(throwing(Object.assign(new Error("x"), { details }))).run()).details,
      ).toBeUndefined();
  });
});

describe("abort", () => {
  it("a call whose signal is already aborted touches neither hooks nor tool and is recorded", async () => {
    const bench = buildBench(buildTool());
    bench.abort.abort();
    expect(errorIn(await bench.run())).toMatchObject({ code: "aborted", started: false });
    expect(bench.executor.counters).toMatchObject({ started: 0, recorded: 1 });
  });

  it("a tool that ignores its signal cannot delay the abort; its late result is dropped and counted", async () => {
    const started = Promise.withResolvers<void>();
    const work = Promise.withResolvers<string>();
    const seen: NestedOutcome[] = [];
    const bench = buildBench(
      buildTool({
        execute: (_input, context) => {
          started.resolve();
          return work.promise.then((value) => {
            context.onUpdate("late progress");
            return value;
          });
        },
      }),
      { hooks: { before: async () => undefined, after: async ({ outcome }) => void seen.push(outcome) } },
    );
    const outcome = bench.run();
    await started.promise;
    bench.abort.abort();
    expect(errorIn(await outcome)).toMatchObject({ code: "aborted", started: true });
    expect(seen).toMatchObject([{ ok: false, started: true, error: { code: "aborted" } }]);
    work.resolve("late");
    await work.promise;
    await new Promise((resolve) => setImmediate(resolve));
    expect(bench.executor.counters.late).toBe(1);
    expect(bench.records).toHaveLength(1);
    expect(bench.updates).toEqual([{ type: "started" }]);
  });

  it("an abort from inside the started update keeps the tool from running", async () => {
    let runs = 0;
    const abort = new AbortController();
    const bench = buildBench(buildTool({ execute: () => void runs++ }));
    const outcome = await bench.executor.execute(
      { callId: "c", cellId: "x", parentToolCallId: "p", toolId: "t", input: {}, scope, restartSafe: false },
      { signal: abort.signal, onUpdate: () => abort.abort() },
    );
    expect(errorIn(outcome).code).toBe("aborted");
    expect(runs).toBe(0);
  });

  it("two hundred calls on one signal settle together without a warning", async () => {
    const warnings: unknown[] = [];
    const onWarning = (warning: unknown) => warnings.push(warning);
    process.on("warning", onWarning);
    const bench = buildBench(buildTool({ execute: () => new Promise(() => undefined) }));
    const outcomes = Array.from({ length: 200 }, (_, index) => bench.run({ callId: `c${index}` }));
    await Promise.resolve();
    bench.abort.abort();
    expect(new Set((await Promise.all(outcomes)).map((outcome) => errorIn(outcome).code))).toEqual(
      new Set(["aborted"]),
    );
    await new Promise((resolve) => setImmediate(resolve));
    process.off("warning", onWarning);
    expect(warnings).toEqual([]);
  });
});

describe("sequential tools", () => {
  function buildGated(executionMode: "sequential" | "parallel") {
    const log: string[] = [];
    const gates = new Map<string, () => void>();
    const tool = buildTool({
      executionMode,
      execute: async (input) => {
        const { id } = input as { id: string };
        log.push(`start ${id}`);
        await new Promise<void>((resolve) => gates.set(id, resolve));
        log.push(`end ${id}`);
      },
    });
    return { bench: buildBench(tool), log, gates };
  }
  const settle = () => new Promise((resolve) => setImmediate(resolve));

  it("calls of one cell run one after another, in call order", async () => {
    const { bench, log, gates } = buildGated("sequential");
    const calls = ["a", "b", "c"].map((id) => bench.run({ callId: id, input: { id } }));
    for (const id of ["a", "b", "c"]) {
      await settle();
      gates.get(id)?.();
    }
    await Promise.all(calls);
    expect(log).toEqual(["start a", "end a", "start b", "end b", "start c", "end c"]);
  });

  it("calls of other cells and of parallel tools do not wait", async () => {
    const sequential = buildGated("sequential");
    void sequential.bench.run({ cellId: "one", input: { id: "a" } });
    void sequential.bench.run({ cellId: "two", input: { id: "b" } });
    const parallel = buildGated("parallel");
    void parallel.bench.run({ input: { id: "a" } });
    void parallel.bench.run({ input: { id: "b" } });
    await settle();
    expect([sequential.log, parallel.log]).toEqual([
      ["start a", "start b"],
      ["start a", "start b"],
    ]);
  });

  it("a call that is aborted while it waits never runs, and the next one still waits its turn", async () => {
    const { bench, log, gates } = buildGated("sequential");
    const abort = new AbortController();
    const first = bench.run({ callId: "a", input: { id: "a" } });
    const call = {
      callId: "b",
      cellId: "cell-1",
      parentToolCallId: "p",
      toolId: "t",
      input: { id: "b" },
      scope,
      restartSafe: false,
    };
    const second = bench.executor.execute(call, { signal: abort.signal, onUpdate: () => undefined });
    const third = bench.run({ callId: "c", input: { id: "c" } });
    await settle();
    abort.abort();
    expect(errorIn(await second)).toMatchObject({ code: "aborted", started: false });
    await settle();
    expect(log).toEqual(["start a"]);
    gates.get("a")?.();
    await first;
    await settle();
    gates.get("c")?.();
    await third;
    expect(log).toEqual(["start a", "end a", "start c", "end c"]);
  });

  it("a call that failed does not hold up the next", async () => {
    const bench = buildBench(
      buildTool({ executionMode: "sequential", execute: (input) => Promise.reject(new Error(JSON.stringify(input))) }),
    );
    const outcomes = await Promise.all([bench.run({ input: { a: 1 } }), bench.run({ input: { a: 2 } })]);
    expect(outcomes.map((outcome) => errorIn(outcome).message)).toEqual(['{"a":1}', '{"a":2}']);
  });
});

describe("records", () => {
  it("NEST-4 every call is recorded once, with times, before its result is delivered", async () => {
    const events: unknown[] = [];
    const bench = buildBench(buildTool({ name: "read" }), {
      now: () => 1_000,
      recorder: {
        record: ({ startedAt, toolName, durationMs }) => void events.push([toolName, startedAt, durationMs >= 0]),
      },
    });
    await bench.run().then(() => events.push("delivered"));
    expect(events).toEqual([["read", 1_000, true], "delivered"]);
  });

  it("hook, validator and record counts equal the calls made", async () => {
    const bench = buildBench(buildTool({ parameters: { type: "object" } }), {
      hooks: { before: async () => undefined, after: async () => undefined },
    });
    await Promise.all(Array.from({ length: 20 }, () => bench.run()));
    expect(bench.executor.counters).toEqual({
      calls: 20,
      hooked: 20,
      validated: 20,
      unchecked: 0,
      started: 20,
      recorded: 20,
      late: 0,
    });
  });

  it("a recorder, a log or an update listener that throws changes no outcome", async () => {
    const fail = () => {
      throw new Error("sink");
    };
    const bench = buildBench(buildTool({ execute: (_input, context) => context.log("x") ?? "fine" }), {
      recorder: { record: fail },
      log: fail,
    });
    const call = { callId: "c", cellId: "x", parentToolCallId: "p", toolId: "t", input: {}, scope, restartSafe: false };
    expect(valueIn(await bench.executor.execute(call, { signal: bench.abort.signal, onUpdate: fail }))).toBe("fine");
  });
});
