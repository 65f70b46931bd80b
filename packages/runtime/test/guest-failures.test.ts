import { createMemorySnapshotStore } from "@code-mode/snapshots";
import { afterAll, describe, expect, it } from "vitest";
import { completedValue, createRuntime, failureOf, scopeOf } from "./support.ts";

const codeMode = createRuntime();
afterAll(() => codeMode[Symbol.asyncDispose]());
const value = async (code: string) => completedValue(await codeMode.exec({ code }));
const nest = (levels: number) => `let v = 1; for (let n = 0; n < ${levels}; n++) v = [v];`;

describe("failures inside the guest", () => {
  it.each([
    "Object.defineProperty(Error.prototype, 'stack', { get() { throw new RangeError('evil') }, configurable: true })",
    "Object.defineProperty(Error.prototype, 'stack', { get() { return { evil: true } }, configurable: true })",
    "Object.defineProperty(Error.prototype, 'stack', { value: 'evil', configurable: true })",
    "delete Error.prototype.stack",
    "Error.prepareStackTrace = () => { throw 1 }",
    "Error.prepareStackTrace = () => ({ evil: true })",
    "globalThis.Error = class { get stack() { throw 1 } }",
  ])("ERR-1 patched stacks never reach the error of a tool: %s", async (patch) => {
    const code = `${patch};\ntry { await tools.fail({}) } catch (error) { return [error.name, error.code, /evil/.test(error.stack)] }`;
    expect(await value(code)).toEqual(["TypeError", "E_TEST", false]);
    expect(failureOf(await codeMode.exec({ code: `${patch};\nreturn await tools.fail({})` }))).toMatchObject({
      code: "tool_error",
    });
  });

  it.each([
    "return { get a() { throw new RangeError('mine') } }",
    "return { toJSON() { throw new RangeError('mine') } }",
    "return new Map([['a', { toJSON() { throw new RangeError('mine') } }]])",
    "return Promise.resolve({ a: [{ get b() { throw new RangeError('mine') } }] })",
    "json({ get a() { throw new RangeError('mine') } })",
  ])("OUT-3 code of the value that throws fails the cell with its own error: %s", async (code) => {
    expect(failureOf(await codeMode.exec({ code }))).toMatchObject({
      code: "guest_error",
      error: expect.stringMatching(/^RangeError: mine/),
      position: { line: 1 },
    });
  });

  it("ERR-1 a program that overflows the stack at once is a guest_error", async () => {
    const code = "async function again() { return await again() } return await again()";
    expect(failureOf(await codeMode.exec({ code }))).toMatchObject({
      code: "guest_error",
      error: expect.stringMatching(/Maximum call stack/),
    });
  });

  it("NEST-4 what a program put on a tool error that it throws again cannot break the result", async () => {
    for (const change of [
      "e.details = e",
      `${nest(5000)} e.details = v`,
      "e.details = 'x'.repeat(1e6)",
      "e.details = { get a() { throw 1 } }",
    ]) {
      const code = `try { await tools.fail({ message: 'm' }) } catch (e) { ${change}; throw e }`;
      expect(failureOf(await codeMode.exec({ code })), change).toMatchObject({
        code: "tool_error",
        error: expect.stringMatching(/^TypeError: m/),
      });
    }
  });
});

describe("refused calls", () => {
  it.each([
    ["tools.echo({ d: 'x'.repeat(2e6) })", "tool_error"],
    ["tools.call('echo', { d: 'x'.repeat(2e6) })", "tool_error"],
    ["tools.call(5)", "TypeError"],
    ["tools.search()", "TypeError"],
    ["results.load({})", "TypeError"],
    ["API.read()", "TypeError"],
    ["tools.echo({ get a() { throw new TypeError('x') } })", "TypeError"],
  ])("GUEST-6 %s rejects, it does not throw", async (call, expected) => {
    expect(await value(`return await ${call}.catch((e) => e.code ?? e.name)`)).toBe(expected);
  });

  it("NEST-3 a map over too many items settles every one of them", async () => {
    const code =
      "const all = await Promise.allSettled(Array.from({ length: 150 }, (_, n) => tools.echo({ n }))); return [all.filter((one) => one.status === 'fulfilled').length, all.filter((one) => one.reason?.code === 'too_many_pending_calls').length]";
    expect(await value(code)).toEqual([144, 6]);
  });

  it("GUEST-8 a value too large for one batch of calls is refused, not lost", async () => {
    await using large = createRuntime({ config: { memoryLimitBytes: 512 * 1024 * 1024 } });
    const code = "return await results.save('x'.repeat(26e6)).catch((e) => [e.code, e.message])";
    expect(completedValue(await large.exec({ code }))).toEqual(["tool_error", expect.stringMatching(/characters/)]);
  });
});

describe("nesting", () => {
  it.each(["Symbol", "Promise.resolve(1)"])("GUEST-6 500 levels pass also in a program that uses %s", async (use) => {
    const values = (levels: number) => `const used = ${use}; ${nest(levels)} return v`;
    expect(JSON.stringify(await value(values(500)))).toBe(`${"[".repeat(500)}1${"]".repeat(500)}`);
    expect(failureOf(await codeMode.exec({ code: values(501) }))).toMatchObject({
      code: "guest_error",
      error: expect.stringMatching(/500 levels/),
    });
  });

  it("GUEST-6 a json item of more than 500 levels is shown as its text", async () => {
    expect((await codeMode.exec({ code: `${nest(500)} json(v)` })).output).toMatchObject([{ type: "json" }]);
    for (const levels of [501, 9000])
      expect((await codeMode.exec({ code: `${nest(levels)} json(v)` })).output, `${levels}`).toEqual([
        { type: "text", text: `${"[".repeat(levels)}1${"]".repeat(levels)}` },
      ]);
  });

  it("OUT-3 a toJSON that returns its own object or a promise does not loop", async () => {
    expect(await value("const o = { toJSON() { return o } }; return [Symbol.iterator in [], o]")).toEqual([
      true,
      "[Circular]",
    ]);
  });
});

describe("namespaces", () => {
  it("GUEST-6 the input of a namespace call has the cap of any tool input", async () => {
    const descriptor = [{ id: "n", globalName: "Notes", scope: { add: { $call: "add" } } }];
    await using withNotes = createRuntime({
      namespaces: () => ({
        json: JSON.stringify(descriptor),
        resolveCall: (_id, _path, args) => ({ toolId: "openclaw:core:echo", input: args[0] ?? {} }),
      }),
    });
    const code = "return [await Notes.add({ n: 1 }), await Notes.add({ d: 'x'.repeat(2e6) }).catch((e) => e.code)]";
    expect(completedValue(await withNotes.exec({ code }))).toEqual([{ n: 1 }, "tool_error"]);
  });
});

describe("ends in between", () => {
  it("LIFE-3 a cell whose run ends while it is being stored is not kept", async () => {
    const memory = createMemorySnapshotStore();
    const storing = Promise.withResolvers<void>();
    const stored = Promise.withResolvers<void>();
    await using slow = createRuntime({
      store: {
        put: async (runId, snapshot) => {
          storing.resolve();
          await stored.promise;
          await memory.put(runId, snapshot);
        },
        claim: (runId) => memory.claim(runId),
        delete: (runId) => memory.delete(runId),
      },
    });
    const scope = scopeOf("s", "r");
    const cell = slow.exec({ code: "await yield_control()" }, { scope });
    await storing.promise;
    await slow.endRun(scope);
    stored.resolve();
    expect(failureOf(await cell).code).toBe("aborted");
    expect([slow.suspendedCount, memory.size]).toEqual([0, 0]);
  });
});
