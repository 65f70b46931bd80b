import type { CodeModeTool } from "@code-mode/contract";
import { describe, expect, it } from "vitest";
import { completedValue, createRuntime, failureOf, ManualTool, waitingOf } from "./support.ts";

const MiB = 1024 * 1024;

/** A tool whose reply takes exactly `bytes` of JSON, one that nests `levels` deep, one that says what it got. */
const shapedReplies: readonly CodeModeTool[] = [
  {
    name: "big",
    description: "a reply of n bytes",
    execute: (input) => "x".repeat((input as { bytes: number }).bytes - 2),
  },
  {
    name: "deep",
    description: "a reply of n levels",
    execute: (input) => nested((input as { levels: number }).levels),
  },
  { name: "measure", description: "bytes of its input", execute: (input) => Buffer.byteLength(JSON.stringify(input)) },
];

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}

const nest = (levels: number) => `let v = 1; for (let n = 0; n < ${levels}; n++) v = [v];`;
const caught = (call: string) => `try { return ${call} } catch (e) { return [e.code, e.message] }`;

describe("numbers of calls", () => {
  it.each([1, 2, 128])("CFG-2 with maxPendingToolCalls %i exactly that many calls run at once", async (cap) => {
    const slow = new ManualTool("slow");
    await using codeMode = createRuntime({ extra: [slow.tool], config: { maxPendingToolCalls: cap } });
    const over = cap + 1;
    const result = codeMode.exec({
      code: `return (await Promise.all(Array.from({ length: ${over} }, (_, n) => tools.slow({ n })))).length`,
    });
    await slow.arrived(cap);
    expect(slow.started).toBe(cap);
    slow.resolve(0, 0);
    await slow.arrived(over);
    expect(slow.inputs).toEqual(Array.from({ length: over }, (_, n) => ({ n })));
    for (let n = 1; n < over; n++) slow.resolve(n, n);
    expect(completedValue(await result)).toBe(over);
  });

  it.each([
    [127, 0],
    [128, 0],
    [129, 1],
  ])("NEST-3 of %i calls behind a running one, %i are refused", async (queued, refused) => {
    const slow = new ManualTool("slow");
    await using codeMode = createRuntime({ extra: [slow.tool], config: { maxPendingToolCalls: 1 } });
    const result = codeMode.exec({
      code: `const all = Array.from({ length: ${queued + 1} }, async (_, n) => tools.slow({ n })); const done = await Promise.allSettled(all); return done.filter((one) => one.status === "rejected").map((one) => one.reason.code)`,
    });
    for (let n = 0; n <= queued - refused; n++) {
      await slow.arrived(n + 1);
      slow.resolve(n, n);
    }
    expect(completedValue(await result)).toEqual(Array(refused).fill("too_many_pending_calls"));
    expect(slow.started).toBe(queued + 1 - refused);
  });
});

describe("sizes", () => {
  it("GUEST-6 a reply of exactly a sixteenth of the memory passes, one byte more is a catchable tool_error", async () => {
    await using codeMode = createRuntime({ extra: shapedReplies, config: { memoryLimitBytes: 16 * MiB } });
    for (const bytes of [MiB - 1, MiB])
      expect(
        completedValue(await codeMode.exec({ code: `return (await tools.big({ bytes: ${bytes} })).length` })),
      ).toBe(bytes - 2);
    expect(completedValue(await codeMode.exec({ code: caught(`await tools.big({ bytes: ${MiB + 1} })`) }))).toEqual([
      "tool_error",
      expect.stringMatching(/1048577 bytes.*1048576/),
    ]);
  });

  it("GUEST-6 a tool input is measured in bytes, not in characters", async () => {
    await using codeMode = createRuntime({ extra: shapedReplies });
    const frame = '{"d":""}'.length;
    // Three bytes each; the rest of the mebibyte is filled with single bytes.
    const wide = Math.floor((MiB - frame) / 3);
    const rest = MiB - frame - wide * 3;
    const input = (more: number) => `{ d: "漢".repeat(${wide}) + "x".repeat(${rest + more}) }`;
    expect(completedValue(await codeMode.exec({ code: `return await tools.measure(${input(-1)})` }))).toBe(MiB - 1);
    expect(completedValue(await codeMode.exec({ code: `return await tools.measure(${input(0)})` }))).toBe(MiB);
    expect(completedValue(await codeMode.exec({ code: caught(`await tools.measure(${input(1)})`) }))).toEqual([
      "tool_error",
      expect.stringMatching(/1048577.*1048576/),
    ]);
  });

  it("GUEST-6 sixteen inputs of a mebibyte at once all arrive", async () => {
    await using codeMode = createRuntime({ extra: shapedReplies });
    const code = `const all = await Promise.all(Array.from({ length: 16 }, () => tools.measure({ d: "x".repeat(${MiB} - 8) }))); return all.every((bytes) => bytes === ${MiB})`;
    expect(completedValue(await codeMode.exec({ code }))).toBe(true);
  });

  it("CFG-2 with memoryLimitBytes 1 MiB the trivial cell, a tool call and a suspension work", async () => {
    await using codeMode = createRuntime({ extra: shapedReplies, config: { memoryLimitBytes: 1 } });
    expect(codeMode.config.memoryLimitBytes).toBe(MiB);
    expect(completedValue(await codeMode.exec({ code: "return 1" }))).toBe(1);
    expect(completedValue(await codeMode.exec({ code: "return (await tools.echo({ a: 2 })).a" }))).toBe(2);
    expect(completedValue(await codeMode.exec({ code: "return (await tools.big({ bytes: 65536 })).length" }))).toBe(
      65_534,
    );
    const { runId } = waitingOf(await codeMode.exec({ code: "await yield_control(); return 3" }));
    expect(completedValue(await codeMode.wait({ runId }))).toBe(3);
    expect(failureOf(await codeMode.exec({ code: "return 'x'.repeat(2_000_000).split('')" })).code).toBe(
      "memory_limit_exceeded",
    );
  });

  it("CFG-2 with maxSnapshotBytes 1 KiB cells that are not suspended run, also when they wait for a slow tool", async () => {
    const slow = new ManualTool("slow");
    await using codeMode = createRuntime({ extra: [slow.tool], config: { maxSnapshotBytes: 1 } });
    expect(codeMode.config.maxSnapshotBytes).toBe(1024);
    expect(completedValue(await codeMode.exec({ code: "return 1" }))).toBe(1);
    const slowly = codeMode.exec({ code: "return await tools.slow({})" });
    await slow.arrived(1);
    // A second cell asks for a worker: the first one cannot be packed and keeps its own.
    expect(completedValue(await codeMode.exec({ code: "return 2" }))).toBe(2);
    slow.resolve(0, 3);
    expect(completedValue(await slowly)).toBe(3);
  });

  it("LIFE-5 a suspended cell of exactly maxSnapshotBytes passes as telemetry says, below it is refused", async () => {
    const code =
      "const rows = Array.from({ length: 500 }, (_, n) => n * 7919 % 1000); await yield_control(); return rows.length";
    await using wide = createRuntime();
    const { snapshotBytes = 0 } = (await wide.exec({ code })).telemetry;
    expect(snapshotBytes).toBeGreaterThan(1024);
    // Packed sizes of one program differ by its random state, a few bytes.
    await using enough = createRuntime({ config: { maxSnapshotBytes: snapshotBytes + 64 } });
    const { runId } = waitingOf(await enough.exec({ code }));
    expect(completedValue(await enough.wait({ runId }))).toBe(500);
    await using less = createRuntime({ config: { maxSnapshotBytes: snapshotBytes - 256 } });
    expect(failureOf(await less.exec({ code }))).toMatchObject({
      code: "snapshot_limit_exceeded",
      details: { limit: snapshotBytes - 256 },
    });
  });

  it.each([99, 100, 101])("CFG-2 timeoutMs %i still runs the trivial cell and a tool call", async (timeoutMs) => {
    await using codeMode = createRuntime({ config: { timeoutMs } });
    await codeMode.ready();
    expect(codeMode.config.timeoutMs).toBe(Math.max(100, timeoutMs));
    expect(completedValue(await codeMode.exec({ code: "return (await tools.add({ a: 1, b: 1 })).sum" }))).toBe(2);
  });
});

describe("nesting", () => {
  it("GUEST-6 a value of 500 levels passes, one of 501 fails the cell", async () => {
    await using codeMode = createRuntime();
    for (const levels of [499, 500])
      expect(completedValue(await codeMode.exec({ code: `${nest(levels)} return v` }))).toEqual(nested(levels));
    expect(failureOf(await codeMode.exec({ code: `${nest(501)} return v` }))).toMatchObject({
      code: "guest_error",
      error: expect.stringMatching(/500 levels/),
    });
  });

  it("GUEST-6 a tool input of 500 levels passes, one of 501 is refused before the tool runs", async () => {
    await using codeMode = createRuntime({ extra: shapedReplies });
    const bytes = (levels: number) => '{"v":}'.length + 2 * levels + 1;
    for (const levels of [498, 499])
      expect(completedValue(await codeMode.exec({ code: `${nest(levels)} return await tools.measure({ v })` }))).toBe(
        bytes(levels),
      );
    const refused = await codeMode.exec({ code: `${nest(500)} ${caught("await tools.measure({ v })")}` });
    expect(completedValue(refused)).toEqual(["tool_error", expect.stringMatching(/500 levels/)]);
    expect(refused.telemetry.calls).toMatchObject({ completed: 0, notStarted: 1 });
  });

  it("GUEST-6 a reply of 500 levels passes, one of 501 is a catchable tool_error", async () => {
    await using codeMode = createRuntime({ extra: shapedReplies });
    for (const levels of [499, 500])
      expect(completedValue(await codeMode.exec({ code: `return await tools.deep({ levels: ${levels} })` }))).toEqual(
        nested(levels),
      );
    expect(completedValue(await codeMode.exec({ code: caught("await tools.deep({ levels: 501 })") }))).toEqual([
      "tool_error",
      expect.stringMatching(/500 levels/),
    ]);
  });
});

describe("output", () => {
  it("OUT-2 the budget is exact over waits: what one result used is missing in the next", async () => {
    await using codeMode = createRuntime({ config: { maxOutputBytes: 1 } });
    expect(codeMode.config.maxOutputBytes).toBe(1024);
    const item = (length: number) => `text("x".repeat(${length}))`;
    const frame = Buffer.byteLength(JSON.stringify({ type: "text", text: "" }));
    const program = (second: number) => `${item(500)}; await yield_control(); ${item(second)}; return null`;
    const left = 1024 - (500 + frame) - frame - "null".length;
    for (const [second, status] of [
      [left - 1, "completed"],
      [left, "completed"],
      [left + 1, "failed"],
    ] as const) {
      const { runId } = waitingOf(await codeMode.exec({ code: program(second) }));
      const last = await codeMode.wait({ runId });
      expect(last.status, `${second} characters`).toBe(status);
      if (last.status === "failed") expect(last).toMatchObject({ code: "output_limit_exceeded" });
    }
  });

  it("OUT-2 what a failed result carries never exceeds the budget", async () => {
    await using codeMode = createRuntime({ config: { maxOutputBytes: 1024 } });
    const failed = failureOf(
      await codeMode.exec({ code: 'for (let n = 0; n < 9; n++) text("é".repeat(100)); return 1' }),
    );
    const bytes = (failed.output ?? []).reduce((sum, item) => sum + Buffer.byteLength(JSON.stringify(item)), 0);
    expect(bytes).toBeLessThanOrEqual(1024);
    expect(bytes).toBeGreaterThan(1024 - 32);
    const total = 9 * Buffer.byteLength(JSON.stringify({ type: "text", text: "é".repeat(100) })) + 1;
    expect(failed).toMatchObject({ truncated: true, omittedBytes: total - bytes });
  });

  it("GUEST-7 console lines keep their order among texts and are bounded by the same budget", async () => {
    await using codeMode = createRuntime({ config: { maxOutputBytes: 1024 } });
    expect(
      (
        await codeMode.exec({
          code: "console.log('a', 1); text('b'); console.error({ c: [1] }); json('d'); console.debug(); console.warn(null, true); const o = {}; o.o = o; console.info(o)",
        })
      ).output,
    ).toEqual([
      { type: "text", text: "a 1" },
      { type: "text", text: "b" },
      { type: "text", text: '{"c":[1]}' },
      { type: "json", value: "d" },
      { type: "text", text: "" },
      { type: "text", text: "null true" },
      { type: "text", text: '{"o":"[Circular]"}' },
    ]);
    const flood = failureOf(await codeMode.exec({ code: "for (let n = 0; n < 5000; n++) console.log('line', n)" }));
    expect(flood.code).toBe("output_limit_exceeded");
    expect(Buffer.byteLength(JSON.stringify(flood.output))).toBeLessThan(1024 + 100);
  });
});

describe("saved results", () => {
  it("GUEST-8 64 values are kept, the 65th is a catchable error, and deleting one makes room", async () => {
    await using codeMode = createRuntime();
    const code =
      "const ids = []; for (let n = 0; n < 64; n++) ids.push((await results.save(n)).id); const codes = []; await results.save('x').catch((e) => codes.push(e.code)); await results.delete(ids[5]); await results.save('y'); return [codes, await results.load(ids[63]), new Set(ids).size]";
    expect(completedValue(await codeMode.exec({ code }))).toEqual([["tool_error"], 63, 64]);
  });

  it("GUEST-8 16 MiB are kept, one byte more is a catchable error", async () => {
    await using codeMode = createRuntime();
    const save = (bytes: number) => `results.save("x".repeat(${bytes} - 2))`;
    const code = `await ${save(15 * MiB)}; const over = await ${save(MiB + 1)}.catch((e) => [e.code, e.message]); return [over, (await ${save(MiB)}).bytes]`;
    expect(completedValue(await codeMode.exec({ code }))).toEqual([
      ["tool_error", expect.stringMatching(/16777216/)],
      MiB,
    ]);
  });

  it("GUEST-8 saved values belong to their agent run, and to the session with waitScope session", async () => {
    const scope = (run: string) => ({ agentId: "a", sessionId: "s", sessionKey: "s", agentRunId: run });
    const load = (id: string) => ({ code: `return await results.load("${id}").catch((e) => e.code)` });
    for (const [waitScope, seen] of [
      ["run", "tool_error"],
      ["session", "kept"],
    ] as const) {
      await using codeMode = createRuntime({ config: { waitScope } });
      const saved = completedValue(
        await codeMode.exec({ code: "return (await results.save('kept')).id" }, { scope: scope("r1") }),
      ) as string;
      expect(completedValue(await codeMode.exec(load(saved), { scope: scope("r2") }))).toBe(seen);
      expect(completedValue(await codeMode.exec(load(saved), { scope: scope("r1") }))).toBe("kept");
      await (waitScope === "run" ? codeMode.endRun(scope("r1")) : codeMode.endSession("s"));
      expect(completedValue(await codeMode.exec(load(saved), { scope: scope("r1") }))).toBe("tool_error");
    }
  });
});
